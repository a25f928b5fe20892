import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type Sharp from 'sharp';

/**
 * Loads sharp with its WebAssembly build, which is the same on every machine. Its own loader takes a native build if
 * there is one for the machine, so our tests would run other code than the deployed function.
 */
export function loadSharp(): typeof Sharp {
  loaded ??= load();
  return loaded;
}

let loaded: typeof Sharp | undefined;

function load(): typeof Sharp {
  const require = createRequire(import.meta.url);
  const loaderPath = join(dirname(require.resolve('sharp')), 'sharp.cjs');
  const loader = new Module(loaderPath);
  loader.exports = require('@img/sharp-wasm32/sharp.node');
  loader.loaded = true;
  require.cache[loaderPath] = loader;
  const sharp = require('sharp') as typeof Sharp;
  // One picture at a time, and each once.
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [...loaders] });
  return sharp;
}

/** The only readers of files that hostile input can reach. */
const loaders = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
] as const;
