import type { FunctionDefinition } from './definition.ts';

/** The program that renders a picture or a video, and the decoders that it needs, for functions that start it. */
export const rendering = {
  programs: ['lib/media/renditions/render-process.ts'],
  packages: [
    { name: 'sharp', files: ['dist/*.cjs'] },
    // The same WebAssembly runs on the function's processor and on that of the machine which builds and tests it.
    { name: '@img/sharp-wasm32', files: ['index.cjs', 'lib/*'] },
    { name: 'libheif-js', files: ['libheif-wasm/libheif.{js,wasm}', 'libheif-wasm/LICENSE'] },
  ],
} satisfies Partial<FunctionDefinition>;
