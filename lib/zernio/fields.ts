import { HeraldError } from '../kernel/errors.ts';
import { isFields, mediaNames, type Name, optionNames, targetNames } from './names.ts';

/*
 * The names of fields in errors and warnings. Herald's operations name the fields of their own requests; a client knows those of the
 * request that it has sent. Pure.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Returns Zernio's path of a field, from Herald's. */
export type FieldName = (field: string) => string;

/** Waits for an operation. An error of it names the fields of the client's request. */
export async function inTheirFields<Result>(working: Promise<Result>, name: FieldName): Promise<Result> {
  try {
    return await working;
  } catch (error) {
    throw error instanceof HeraldError ? renamed(error, name) : error;
  }
}

function renamed(error: HeraldError, name: FieldName): HeraldError {
  const { code, param, fields, problems, message, cause, retryAfterSeconds, oldestCursor, byPerson } = error;
  if (param === undefined && fields === undefined) return error;
  const theirs = new Map<string, readonly string[]>();
  for (const [field, messages] of Object.entries(fields ?? {}))
    theirs.set(name(field), [...(theirs.get(name(field)) ?? []), ...messages]);
  const isAbout = param !== undefined && message.startsWith(`${param}:`);
  return new HeraldError(code, isAbout ? `${name(param)}${message.slice(param.length)}` : message, {
    cause,
    ...(param !== undefined && { param: name(param) }),
    ...(fields && { fields: Object.fromEntries(theirs) }),
    problems: problems.map((problem) => ({ ...problem, field: name(problem.field) })),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(oldestCursor !== undefined && { oldestCursor }),
    ...(byPerson && { byPerson }),
  });
}

/** Returns the name of a field by a table. What is inside the field keeps its path. */
export const namedBy =
  (names: readonly Name[]): FieldName =>
  (field) => {
    for (const [theirs, ours, direction] of names)
      if (direction !== 'out' && isAtOrIn(field, ours)) return theirs + field.slice(ours.length);
    return field;
  };

const isAtOrIn = (field: string, path: string): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

/** Returns the name of a parameter by Herald's name of it. */
export const renamedBy =
  (names: Readonly<Record<string, string>>): FieldName =>
  (field) =>
    (Object.hasOwn(names, field) ? names[field] : undefined) ?? field;

/**
 * Returns the names of the fields of a request to create, change or check a post.
 *
 * @param body the client's
 * @param indexes the client's indexes of the destinations, if some of them were left out
 */
export function fieldsOfPost(body: Fields, indexes?: readonly number[]): FieldName {
  return (field) => {
    if (field === 'coverUrl') return `mediaItems[${thumbnailIndex(body)}].thumbnail`;
    if (field === 'scheduledFor' && isQueued(body)) return 'queuedFromProfile';
    const [, at, rest = ''] = /^platforms\[(\d+)\]\.?(.*)$/s.exec(field) ?? [];
    if (at === undefined) return inFiles('mediaItems', field) ?? field;
    const index = indexes?.[Number(at)] ?? Number(at);
    const entry: unknown = Array.isArray(body['platforms']) ? body['platforms'][index] : undefined;
    const name = isFields(entry) ? fieldOfTarget(entry, body, rest) : rest;
    if (typeof name !== 'string') return name.ofPost;
    return name === '' ? `platforms[${index}]` : `platforms[${index}].${name}`;
  };
}

function thumbnailIndex({ mediaItems }: Fields): number {
  const items: readonly unknown[] = Array.isArray(mediaItems) ? mediaItems : [];
  return Math.max(
    0,
    items.findIndex((item) => isFields(item) && typeof item['thumbnail'] === 'string'),
  );
}

const isQueued = ({ scheduledFor, queuedFromProfile }: Fields): boolean =>
  scheduledFor === undefined && typeof queuedFromProfile === 'string';

/** Returns the name of a field of a file in a list; `undefined` for another field. */
function inFiles(list: string, field: string, theirs = list): string | undefined {
  const [, index, rest = ''] = field.startsWith(`${list}[`)
    ? (/^\[(\d+)\]\.?(.*)$/s.exec(field.slice(list.length)) ?? [])
    : [];
  if (index === undefined) return field === list ? theirs : undefined;
  return rest === '' ? `${theirs}[${index}]` : `${theirs}[${index}].${namedBy(mediaNames)(rest)}`;
}

const options = 'platformSpecificData';
const parts = `${options}.threadItems`;

/** Returns the name of a field of a destination, or of the post if the post has an option for all destinations of a platform. */
function fieldOfTarget(entry: Fields, body: Fields, field: string): string | { readonly ofPost: string } {
  const platform = typeof entry['platform'] === 'string' ? entry['platform'] : '';
  const given = isFields(entry[options]) ? entry[options] : {};
  const hasParts = platform === 'threads' && Array.isArray(given['threadItems']);
  if (hasParts && field === 'customContent') return `${parts}[0].content`;
  const files = inFiles('customMedia', field, hasParts ? `${parts}[0].mediaItems` : undefined);
  if (files !== undefined) return files;
  if (!field.startsWith(`${options}.`)) return namedBy(targetNames)(field);
  const option = field.slice(options.length + 1);
  return hasParts && isAtOrIn(option, 'thread')
    ? inThread(option)
    : fieldOfOption(platform, given, body, option);
}

/** The parts of a thread after the first one have a list of their own at Herald. */
function inThread(option: string): string {
  const [, index, rest = ''] = /^thread\[(\d+)\]\.?(.*)$/s.exec(option) ?? [];
  if (index === undefined) return parts;
  const part = `${parts}[${Number(index) + 1}]`;
  return rest === '' ? part : `${part}.${inFiles('mediaItems', rest) ?? rest}`;
}

const kinds: readonly string[] = ['brandContentToggle', 'brandOrganicToggle'];

function fieldOfOption(platform: string, given: Fields, body: Fields, option: string) {
  const shared = platform === 'tiktok' && isFields(body['tiktokSettings']) ? body['tiktokSettings'] : {};
  const isKind = kinds.includes(option) && 'commercialContentType' in { ...shared, ...given };
  const names = Object.hasOwn(optionNames, platform) ? (optionNames[platform] ?? []) : [];
  const theirs = isKind && platform === 'tiktok' ? 'commercialContentType' : namedBy(names)(option);
  const [root = ''] = theirs.split(/[.[]/);
  if (Object.hasOwn(given, root)) return `${options}.${theirs}`;
  if (Object.hasOwn(shared, root)) return { ofPost: `tiktokSettings.${theirs}` };
  const isOfPost =
    (platform === 'facebook' && root === 'facebookSettings' && body[root] !== undefined) ||
    (platform === 'youtube' && root === 'tags' && body[root] !== undefined);
  return isOfPost ? { ofPost: theirs } : `${options}.${theirs}`;
}
