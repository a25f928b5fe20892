import { type Box, boxesIn, childrenOf, contentOf } from './mp4-boxes.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/**
 * Reads a HEIC or AVIF file (ISO/IEC 23008-12): the properties of its primary picture, which may be a grid of smaller ones.
 *
 * @throws UnfitFileError if the file is cut off, or if there is too much to read
 */
export async function probeHeif(reader: RangeReader): Promise<ProbedFields> {
  let meta: Box | undefined;
  let [brand, hasMovie] = ['', false];
  for await (const box of boxesIn(reader, 0, reader.sizeBytes)) {
    if (box.type === 'ftyp') brand = (await contentOf(reader, box, 4)).toString('latin1');
    if (box.isCut && ['meta', 'mdat', 'moov'].includes(box.type))
      throw new UnfitFileError(`the file is cut off: it ends before its content (\`${box.type}\`) does`);
    if (box.type === 'meta') meta ??= box;
    if (box.type === 'moov') hasMovie = true;
  }
  if (!meta) return {};
  // Version and flags precede the boxes.
  const properties = await propertiesOf(reader, { ...meta, start: meta.start + 4 });
  const codec = properties.primary.find(({ type }) => type === 'av1C' || type === 'hvcC')?.type;
  return {
    container: codec === 'av1C' || brand.startsWith('avi') ? 'avif' : 'heif',
    ...(await shapeOf(reader, properties.primary)),
    bitDepth: await bitDepthOf(reader, properties.primary),
    hasAlpha: await hasAlpha(reader, properties.all),
    // Photos of phones have no movie in them. A film of pictures has one.
    isAnimated: hasMovie,
  };
}

interface Properties {
  readonly all: readonly Box[];
  /** Those of the primary picture, in the order in which they are applied. */
  readonly primary: readonly Box[];
}

/** More than any program writes: a photo of a phone has some 60 items with 4 properties each. */
const maxTableBytes = 65_536;

async function propertiesOf(reader: RangeReader, meta: Box): Promise<Properties> {
  const { pitm, iprp } = await childrenOf(reader, meta, 'pitm', 'iprp');
  const { ipco, ipma } = await childrenOf(reader, iprp, 'ipco', 'ipma');
  const all: Box[] = [];
  if (ipco) for await (const property of boxesIn(reader, ipco.start, ipco.end)) all.push(property);
  if (!pitm || !ipma) return { all, primary: [] };
  const item = await contentOf(reader, pitm, 8);
  const primaryId = item[0] === 0 ? readOrZero(item, 4, 2) : readOrZero(item, 4, 4);
  const indexes = associationsIn(await contentOf(reader, ipma, maxTableBytes), primaryId);
  return { all, primary: indexes.flatMap((index) => all[index - 1] ?? []) };
}

/** Returns the numbers of an item's properties, from 1 (`ItemPropertyAssociationBox`). */
function associationsIn(table: Buffer, itemId: number): number[] {
  const idBytes = table[0] === 0 ? 2 : 4;
  const indexBytes = (readOrZero(table, 0, 4) & 1) === 1 ? 2 : 1;
  for (let at = 8; at < table.length; ) {
    const id = readOrZero(table, at, idBytes);
    const count = readOrZero(table, at + idBytes, 1);
    const first = at + idBytes + 1;
    at = first + count * indexBytes;
    if (id !== itemId) continue;
    // The highest bit says that a property is essential.
    const mask = indexBytes === 2 ? 0x7fff : 0x7f;
    return Array.from(
      { length: count },
      (_, n) => readOrZero(table, first + n * indexBytes, indexBytes) & mask,
    );
  }
  return [];
}

const readOrZero = (bytes: Buffer, at: number, length: 1 | 2 | 4): number =>
  at + length <= bytes.length ? bytes.readUIntBE(at, length) : 0;

/** Width and height as displayed: cropped by `clap`, then turned by `irot`. Mirroring by `imir` does not change them. */
async function shapeOf(reader: RangeReader, properties: readonly Box[]): Promise<ProbedFields> {
  let [width, height, quarters] = [0, 0, 0];
  for (const property of properties) {
    const content = await contentOf(reader, property, 32);
    if (property.type === 'ispe') [width, height] = [readOrZero(content, 4, 4), readOrZero(content, 8, 4)];
    if (property.type === 'clap' && content.length >= 16)
      [width, height] = [
        Math.round(content.readUInt32BE(0) / content.readUInt32BE(4)),
        Math.round(content.readUInt32BE(8) / content.readUInt32BE(12)),
      ];
    if (property.type === 'irot') quarters += readOrZero(content, 0, 1) & 3;
  }
  // `irot` counts against the clock.
  const rotation = ((4 - (quarters % 4)) % 4) * 90;
  return quarters % 2 === 0 ? { width, height, rotation } : { width: height, height: width, rotation };
}

/** Bits of a channel: `pixi` lists them; otherwise the codec's configuration tells them. */
async function bitDepthOf(reader: RangeReader, properties: readonly Box[]): Promise<number | undefined> {
  const content = async (type: string) => {
    const property = properties.find((each) => each.type === type);
    return property && (await contentOf(reader, property, 32));
  };
  const pixi = await content('pixi');
  if (pixi && pixi.length > 5) return pixi[5];
  // ISO/IEC 14496-15: `bitDepthLumaMinus8`; AV1 in ISOBMFF: `high_bitdepth` and `twelve_bit`.
  const hvcC = await content('hvcC');
  if (hvcC && hvcC.length > 17) return ((hvcC[17] ?? 0) & 7) + 8;
  const flags = (await content('av1C'))?.[2];
  if (flags === undefined) return undefined;
  return (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12;
}

/** True if a picture of the file is the alpha channel of another (`auxC`). Depth and gain maps are auxiliary pictures too. */
async function hasAlpha(reader: RangeReader, properties: readonly Box[]): Promise<boolean> {
  for (const property of properties) {
    if (property.type !== 'auxC') continue;
    const kind = (await contentOf(reader, property, 128)).toString('latin1', 4);
    if (/^urn:mpeg:(mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1)\0/.test(kind)) return true;
  }
  return false;
}
