import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file, the same bytes on every machine: no names with hashes, no source maps, no preload code.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: 'es2021',
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: 'report.html' },
  },
});
