import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps code as the engine has compiled it, types stripped, beside the packages: starts and the threads of later starts
 * need not compile it again. Where the folder cannot be written nothing is kept, and all goes on as it would.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/code', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
