import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { describeMedia } from '../../lib/media/describe.ts';
import { inspectFile } from '../../lib/media/probe/inspect.ts';
import { type AskedShape, adaptContent } from '../../lib/media/renditions/adapt.ts';
import { contentTypeOf, mediaTypeOf } from '../../lib/media/types.ts';
import { Platform } from '../../lib/platforms/contract/names.ts';
import type {
  DescribedMedia,
  PlatformRules,
  PublishableContent,
} from '../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';

const folder = join(import.meta.dirname, '../fixtures/media-corpus');

/** `taken`, or `warned` or `refused` with the codes, sorted. */
const Verdict = z.string().regex(/^(taken|(warned|refused)( media_[a-z_]+)+)$/);

/** The changes that make a file fit, and the verdict on it afterwards unless it is `taken`: `format; refused media_ratio`. */
const Adapted = z.string().regex(/^[a-z]+( [a-z]+)*(; (warned|refused)( media_[a-z_]+)+)?$/);

const CorpusFile = z.strictObject({
  about: z.string(),
  /** The contents of the file, according to ffprobe or Pillow; absent if the file is refused when it is uploaded. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** Part of the reason with which an upload is refused. */
  refused: z.string().optional(),
  /** The verdicts of platforms on the file as it is; the others take it. */
  platforms: z.partialRecord(Platform, Verdict).default({}),
  /** The outcomes if it is adapted for a platform; for the others it stays as it is. */
  adapted: z.partialRecord(Platform, Adapted).default({}),
  /** The outcomes that are others if the author asks for `pad` or `crop`. */
  fitted: z.partialRecord(Platform, Adapted).default({}),
  /** The verdict as a reel of Facebook, and the outcome if it is adapted for that. */
  facebookReel: Verdict.optional(),
  adaptedFacebookReel: Adapted.optional(),
});
export type CorpusFile = z.infer<typeof CorpusFile>;

const Corpus = z.strictObject({
  /** The documents in which the platforms state their limits. */
  sources: z.record(Platform, z.record(z.string(), z.string())),
  files: z.record(z.string(), CorpusFile),
});

export const corpus = Corpus.parse(JSON.parse(readFileSync(join(folder, 'corpus.json'), 'utf8')));

/** The files in the folder, without the scripts and the table. */
export const corpusNames = readdirSync(folder).filter((name) => !/\.(json|md|py|ts)$/.test(name));

/** Their sizes as they are committed. */
export const corpusSizes = corpusNames.map((name) => statSync(join(folder, name)).size);

/** LinkedIn takes no video below 75 KiB, and the files of the corpus are smaller. */
const stretchedBytes = 80 * 1_024;

/** Reads a file. A video is stretched by an empty box or element at its end. */
export function readCorpusFile(name: string): Buffer {
  const bytes = readFileSync(join(folder, name));
  // In a file that was cut off, the empty box would be part of the media data.
  return name.startsWith('cut') ? bytes : stretchedFile(name, bytes);
}

/** Stretches a video, if it is short, by an empty box or element at its end. @param name tells the container */
export function stretchedFile(name: string, bytes: Buffer): Buffer {
  const missing = stretchedBytes - bytes.length;
  if (missing <= 16) return bytes;
  const padding = Buffer.alloc(missing);
  if (/\.(mp4|mov)$/.test(name)) {
    padding.writeUInt32BE(missing);
    padding.write('free', 4, 'latin1');
    return Buffer.concat([bytes, padding]);
  }
  if (!/\.(webm|mkv)$/.test(name)) return bytes;
  padding.writeUInt8(0xec);
  // A size of four bytes, without the five of the header.
  padding.writeUInt32BE(0x1000_0000 + missing - 5, 1);
  return Buffer.concat([bytes, padding]);
}

/** The type under which a file is uploaded: that of its name or, for refused types, of the format it is taken for. */
export const uploadTypeOf = (name: string): string =>
  contentTypeOf(name) ?? (/\.(mkv|avi)$/.test(name) ? 'video/mp4' : 'image/jpeg');

export function inspectCorpusFile(name: string) {
  const bytes = readCorpusFile(name);
  return inspectFile(
    async (first, last) => bytes.subarray(first, last + 1),
    bytes.length,
    uploadTypeOf(name),
  );
}

const options: Partial<Record<Platform, Readonly<Record<string, string>>>> = {
  pinterest: { boardId: '1' },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A title' },
};

/** Describes a file that was uploaded. */
export async function describeCorpusFile(name: string): Promise<DescribedMedia> {
  const found = await inspectCorpusFile(name);
  if (found.state !== 'fit') throw new Error(`${name} is ${found.state}`);
  const contentType = uploadTypeOf(name);
  const record = { contentType, sizeBytes: readCorpusFile(name).length };
  return describeMedia(
    { type: mediaTypeOf(contentType) },
    { ...record, ...(found.probe && { probe: found.probe }) },
  );
}

/** The verdict of a platform's rules on a file as it is, and the outcome if it is adapted. */
interface Outcome {
  readonly verdict: string;
  /** Absent if it is not adapted. */
  readonly adapted?: string;
}

/** Returns the outcome of a post with one file. */
export async function outcomeOf(
  platform: Platform,
  media: DescribedMedia,
  asked: AskedShape = {},
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const rules = await rulesFor(platform);
  if (!rules) throw new Error(`${platform} has no rules`);
  const content = { content: 'Hello', media: [media], options: { ...options[platform], ...more } };
  const verdict = verdictOf(rules, content);
  const adapted = adaptContent(rules, content, { media: [asked] });
  const [adaptation] = adapted.adaptations;
  if (!adaptation) return { verdict };
  const after = verdictOf(rules, adapted.content);
  const changes = adaptation.changes.join(' ');
  return { verdict, adapted: after === 'taken' ? changes : `${changes}; ${after}` };
}

function verdictOf(rules: PlatformRules, content: PublishableContent): string {
  const problems = rules.check(content);
  const warnings = rules.warn?.(content) ?? [];
  const codes = (some: readonly { readonly code: string }[]) =>
    [...new Set(some.map(({ code }) => code))].sort().join(' ');
  if (problems.length > 0) return `refused ${codes(problems)}`;
  return warnings.length > 0 ? `warned ${codes(warnings)}` : 'taken';
}
