import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** The service that `npm run dev` talks to. */
const SERVICE = process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['tigraph-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // A strict policy allows no data: scripts or styles, and small files cost no request on HTTP keep-alive.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: { '/api': SERVICE, '/health': SERVICE, '/.well-known': SERVICE, '/openapi.json': SERVICE },
  },
});
