import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Caches compiled code beside the packages for later starts and their threads. An unwritable folder disables the cache.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/code', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
