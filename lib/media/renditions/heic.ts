import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** Decoded pixels, four bytes each: red, green, blue and alpha. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** The part of libheif's interface that we use. */
interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifPicture[] };
}

interface HeifPicture {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(target: Pixels, done: (filled: Pixels | null) => void): void;
}

/**
 * Decodes the primary picture of a HEIC file, turned and mirrored as the file says. sharp's build has no decoder for
 * HEVC. libheif is under the LGPL, so its files are never bundled: they lie beside our code, and can be replaced.
 *
 * @param maxPixels a larger picture is not decoded
 * @throws Error if the file cannot be decoded
 */
export async function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<Pixels> {
  const load = createRequire(import.meta.url);
  const program = load.resolve('libheif-js/libheif-wasm/libheif.js');
  const wasmBinary = readFileSync(join(program, '../libheif.wasm'));
  // It prints remarks about odd files.
  const silent = { print: () => undefined, printErr: () => undefined };
  const libheif = (load(program) as (options: object) => Libheif)({ wasmBinary, ...silent });
  const pictures = new libheif.HeifDecoder().decode(bytes);
  const picture = pictures.find((each) => each.is_primary()) ?? pictures[0];
  if (!picture) throw new Error('it has no picture');
  const [width, height] = [picture.get_width(), picture.get_height()];
  if (width * height > maxPixels) throw new Error(`it has more than ${maxPixels} pixels`);
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  return new Promise((resolve, reject) => {
    picture.display(target, (filled) =>
      filled ? resolve(filled) : reject(new Error('its pixels cannot be decoded')),
    );
  });
}

/** The length of the signature and of `IHDR` (length, type, 13 bytes, checksum). */
const pngHeadBytes = 8 + 25;

/** Returns a PNG with an ICC profile, which sharp cannot attach without converting the colors (PNG specification, `iCCP`). */
export function withColorProfile(png: Buffer, profile: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(profile)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([
    png.subarray(0, pngHeadBytes),
    length,
    content,
    checksum,
    png.subarray(pngHeadBytes),
  ]);
}
