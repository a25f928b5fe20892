import { minuteMs } from '../kernel/clock.ts';
import {
  type AdaptedContent,
  adaptContent,
  askedShapes,
  threadFileField,
} from '../media/renditions/adapt.ts';
import {
  awaitRendition,
  type RenditionName,
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

/** The files of a target: media in their order, those of its thread, and the cover. */
export interface OriginalFiles {
  readonly media: readonly OriginalFile[];
  /** The files of each part of a thread after the first. */
  readonly thread?: readonly (readonly OriginalFile[])[];
  readonly cover?: OriginalFile | undefined;
}

/** The files of a target as its adapter gets them. */
export interface Sources {
  readonly media: readonly MediaSource[];
  readonly thread: readonly (readonly MediaSource[])[];
  readonly cover?: MediaSource;
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

/** Adapts a content to its platform. Pure: a target is adapted in the same way at each look. */
export function adaptedContent(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { target, post }: Pick<Work, 'target' | 'post'>,
): AdaptedContent {
  const { media, thread = [], cover } = content;
  const hasFiles = media.length > 0 || thread.some((part) => part.media.length > 0) || cover !== undefined;
  if (!rules || !hasFiles) return { content, adaptations: [] };
  return adaptContent(rules, content, askedShapes(target, target.mediaItems ?? post.mediaItems));
}

/**
 * Replaces the files that need a rendition by their renditions. Asks for those that do not exist, and for those that had failed
 * before a person's retry. One request, and none for a target whose files are taken as they are.
 *
 * A file of which the platform takes the original too is published as it is if its rendition cannot be made, or not in time.
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
): Promise<Sources | AwaitedFile> {
  const needs = adaptations.map(({ field, recipe, isOptional }) => {
    const file = fileAt(files, field);
    return {
      name: field,
      file,
      isOptional,
      recipe,
      mediaId: file.source.mediaId,
      workspaceId: target.workspaceId,
    };
  });
  const found = needs.length > 0 ? await readRenditions(ports.table, needs) : [];
  const looks = await Promise.all(needs.map((need, index) => look(ports, target, need, found[index])));
  const awaited = looks.flatMap((each) => (each.state === 'awaited' ? [each] : []));
  const [first] = awaited;
  if (first) {
    const title = platformTitles[target.platform];
    return {
      kind: 'rendition',
      reason: `${first.field} is being converted for ${title}`,
      sinceMs: Math.max(...awaited.map(({ sinceMs }) => sinceMs)),
      missing: {
        code: 'media_delayed',
        text: `${first.field}: the file was not converted for ${title} in time`,
      },
    };
  }
  const used = new Map(needs.map(({ name }, index) => [name, looks[index]]));
  const sourceOf = ({ reference, source }: OriginalFile, name: string, described?: DescribedMedia) => {
    const looked = used.get(name);
    return looked?.state === 'ready'
      ? renditionSource(ports, reference, looked.rendition, described)
      : source;
  };
  return {
    media: files.media.map((file, index) => sourceOf(file, mediaField(index), content.media[index])),
    thread: (files.thread ?? []).map((part, index) =>
      part.map((file, place) =>
        sourceOf(file, threadFileField(index, place), content.thread?.[index]?.media[place]),
      ),
    ),
    ...(files.cover && { cover: sourceOf(files.cover, 'coverUrl', content.cover) }),
  };
}

const mediaField = (index: number): string => `mediaItems[${index}]`;

/** Returns the file that a rule's field names. */
function fileAt({ media, thread = [], cover }: OriginalFiles, field: string): OriginalFile {
  const ofThread = thread.flatMap((part, index) =>
    part.filter((_each, place) => field === threadFileField(index, place)),
  );
  const file =
    field === 'coverUrl' ? cover : (media.find((_each, index) => field === mediaField(index)) ?? ofThread[0]);
  if (!file) throw new Error(`no file is at ${field}`);
  return file;
}

interface Need extends RenditionName {
  readonly file: OriginalFile;
  readonly isOptional: boolean;
}

type Look =
  | { readonly state: 'ready'; readonly rendition: Rendition }
  /** `sinceMs`: the time since which it is wanted, in epoch milliseconds. */
  | { readonly state: 'awaited'; readonly field: string; readonly sinceMs: number }
  /** The original takes its place. */
  | { readonly state: 'original' };

/** The time after its due time for which a target waits for a rendition that its platform can do without. */
const optionalGraceMs = minuteMs;

/** Looks at a rendition, and asks for it if it must be made. */
async function look(
  ports: PublishingPorts,
  target: Work['target'],
  need: Need,
  rendition: Rendition | undefined,
): Promise<Look> {
  const { file, isOptional } = need;
  const { field } = file;
  const isLate = ports.now() >= Date.parse(target.scheduledFor ?? '') + optionalGraceMs;
  const awaited = (sinceMs: number): Look =>
    isOptional && isLate ? { state: 'original' } : { state: 'awaited', field, sinceMs };
  const impossible = (reason: string): Look => {
    if (isOptional) return { state: 'original' };
    throw new ConversionFailure(field, target, reason);
  };
  switch (rendition?.status) {
    case 'ready':
      return { state: 'ready', rendition };
    case 'wanted':
      await awaitRendition(ports, rendition);
      return awaited(Date.parse(rendition.wantedAt));
    case 'failed': {
      const isAskedAgain = await retryRendition(ports, rendition, target.retriedAt);
      return isAskedAgain ? awaited(ports.now()) : impossible(rendition.reason ?? 'it is of an unusual kind');
    }
    case undefined: {
      const request = await requestRendition(ports, need);
      if (request.state === 'wanted') return awaited(request.sinceMs);
      if (request.state === 'too many')
        return impossible('too many conversions were made of it; upload it again');
      throw new OwnFailure('retry', 'media_missing', `${field}: the file is being deleted`);
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
