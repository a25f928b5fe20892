import { type Adaptation, adaptContent, askedShapes } from '../media/renditions/adapt.ts';
import {
  awaitRendition,
  readRenditions,
  requestRendition,
  retryRendition,
} from '../media/renditions/records.ts';
import type { Rendition } from '../media/renditions/schemas.ts';
import type { MediaReference } from '../media/schemas.ts';
import type { MediaSource } from '../platforms/contract/adapter.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import type { DescribedMedia, PlatformRules, PublishableContent } from '../platforms/contract/rules.ts';
import type { OutcomeCode } from '../targets/outcome-codes.ts';
import { OwnFailure } from '../targets/problem.ts';
import type { PublishingPorts } from './ports.ts';
import type { Work } from './work.ts';

/** A file of a target, with the reference that leads to it. */
export interface OriginalFile {
  readonly reference: MediaReference;
  /** Names it in the request. */
  readonly field: string;
  readonly source: MediaSource & { readonly mediaId: string };
}

/** The files of a target: media in their order, and the cover. */
export interface OriginalFiles {
  readonly media: readonly OriginalFile[];
  readonly cover?: OriginalFile | undefined;
}

/** A file that the target waits for. */
export interface AwaitedFile {
  /** The way in which the file arrives. `import`: Herald still tries to fetch it. */
  readonly kind: 'upload' | 'import' | 'rendition';
  /** Names the file, and says what is awaited. */
  readonly reason: string;
  /** The time since which a rendition is wanted, in epoch milliseconds. */
  readonly sinceMs?: number;
  /** The reason for which the target fails if the file stays missing. */
  readonly missing: { readonly code: OutcomeCode; readonly text: string };
}

/** A file that cannot be made to fit its platform, which no later look changes. */
export class ConversionFailure extends OwnFailure {
  constructor(field: string, { platform }: Work['target'], reason: string) {
    super(
      'rejected',
      'media_invalid',
      `${field}: the file cannot be converted for ${platformTitles[platform]}: ${reason}`,
    );
  }
}

/** A content in the form that its platform takes, and which of its files need a rendition for that. */
export interface AdaptedContent {
  readonly content: PublishableContent;
  readonly adaptations: readonly Adaptation[];
}

/** Adapts a content to its platform. Pure: a target is adapted in the same way at each look. */
export function adaptedContent(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { target, post }: Pick<Work, 'target' | 'post'>,
): AdaptedContent {
  const hasFiles = content.media.length > 0 || content.cover !== undefined;
  if (!rules || !hasFiles) return { content, adaptations: [] };
  return adaptContent(rules, content, askedShapes(target, target.mediaItems ?? post.mediaItems));
}

/**
 * Replaces the files that need a rendition by their renditions. Asks for those that do not exist, and for those that had failed
 * before a person's retry. One request, and none for a target whose files are taken as they are.
 *
 * @returns if a rendition is not ready, only what it waits for
 * @throws PlatformError if a file is just being deleted
 * @throws ConversionFailure
 */
export async function withRenditions(
  ports: PublishingPorts,
  { target }: Pick<Work, 'target'>,
  files: OriginalFiles,
  { content, adaptations }: AdaptedContent,
): Promise<{ readonly media: MediaSource[]; readonly cover?: MediaSource } | AwaitedFile> {
  const needs = adaptations.map(({ field, recipe }) => {
    const file = fileAt(files, field);
    return { ...file, recipe, workspaceId: target.workspaceId, mediaId: file.source.mediaId };
  });
  const found = needs.length > 0 ? await readRenditions(ports.table, needs) : [];
  const looked = await Promise.all(
    needs.map(async (need, index) => ({ need, sinceMs: await look(ports, target, need, found[index]) })),
  );
  const awaited = looked.flatMap(({ need, sinceMs }) => (sinceMs === undefined ? [] : [{ need, sinceMs }]));
  const [first] = awaited;
  if (first) {
    const { field } = first.need;
    const title = platformTitles[target.platform];
    return {
      kind: 'rendition',
      reason: `${field} is being converted for ${title}`,
      sinceMs: Math.max(...awaited.map(({ sinceMs }) => sinceMs)),
      missing: { code: 'media_delayed', text: `${field}: the file was not converted for ${title} in time` },
    };
  }
  const renditions = new Map(needs.map(({ field }, index) => [field, found[index]]));
  const sourceOf = ({ reference, field, source }: OriginalFile, described?: DescribedMedia): MediaSource => {
    const rendition = renditions.get(field);
    return rendition ? renditionSource(ports, reference, rendition, described) : source;
  };
  return {
    media: files.media.map((file, index) => sourceOf(file, content.media[index])),
    ...(files.cover && { cover: sourceOf(files.cover, content.cover) }),
  };
}

/** Returns the file that a rule's field names. */
function fileAt({ media, cover }: OriginalFiles, field: string): OriginalFile {
  const file = field === 'coverUrl' ? cover : media.find((_each, index) => field === `mediaItems[${index}]`);
  if (!file) throw new Error(`no file is at ${field}`);
  return file;
}

interface Need extends OriginalFile {
  readonly workspaceId: string;
  readonly mediaId: string;
  readonly recipe: Adaptation['recipe'];
}

/**
 * Looks at a rendition, and asks for it if it must be made.
 *
 * @returns the time since which it is wanted, in epoch milliseconds; `undefined` if it is ready
 */
async function look(
  ports: PublishingPorts,
  target: Work['target'],
  { field, workspaceId, mediaId, recipe }: Need,
  rendition: Rendition | undefined,
): Promise<number | undefined> {
  switch (rendition?.status) {
    case 'ready':
      return undefined;
    case 'wanted':
      await awaitRendition(ports, rendition);
      return Date.parse(rendition.wantedAt);
    case 'failed':
      if (await retryRendition(ports, rendition, target.retriedAt)) return ports.now();
      throw new ConversionFailure(field, target, rendition.reason ?? 'it is of an unusual kind');
    case undefined: {
      const request = await requestRendition(ports, { workspaceId, mediaId, recipe });
      if (request.state === 'wanted') return request.sinceMs;
      if (request.state === 'no file')
        throw new OwnFailure('retry', 'media_missing', `${field}: the file is being deleted`);
      throw new ConversionFailure(field, target, 'too many conversions were made of it; upload it again');
    }
  }
}

function renditionSource(
  { mediaSource }: PublishingPorts,
  reference: MediaReference,
  { id, mediaId, objectKey, recipe, sizeBytes, sha256 }: Rendition,
  described: DescribedMedia | undefined,
): MediaSource {
  const { widthPixels, heightPixels, durationSeconds } = described ?? {};
  return {
    ...mediaSource({ ...reference, objectKey }, { contentType: recipe.contentType, sizeBytes }),
    mediaId,
    renditionId: id,
    sha256,
    ...{ widthPixels, heightPixels, durationSeconds },
    altText: reference.altText,
  };
}
