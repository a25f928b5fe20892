import { parse } from 'csv-parse/sync';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { type FieldName, fieldsOfPost } from './fields.ts';

/*
 * Zernio's tables of posts: one post a row, with the columns that the SDK's documentation of `bulkUploadPosts` names (0.2.881, 2026-11).
 */

/** Herald creates as many posts with one request. */
export const mostRows = 100;
const mostBytes = 2 * 1024 ** 2;
const mostColumns = 100;

/** A row, by its columns; without blank cells. */
type Row = ReadonlyMap<string, string>;

/** Columns that have the name of a JSON field too. */
const aliases: Readonly<Record<string, string>> = {
  content: 'post_content',
  timezone: 'tz',
  scheduledFor: 'schedule_time',
  mediaUrls: 'media_urls',
};

const columns: readonly string[] = [
  ...['post_content', 'title', 'platforms', 'profiles', 'media_urls', 'tz', 'tags', 'hashtags'],
  ...['schedule_time', 'publish_now', 'use_queue', 'is_draft'],
];
const overrides = /^(schedule_time|custom_content|custom_media)_([a-z]+)$/;

export interface CsvTable {
  readonly rows: readonly Row[];
  /** The columns that are not read. */
  readonly unknown: readonly string[];
}

/** @throws HeraldError `invalid` if it is no table, or has too many rows */
export function readTable(bytes: Uint8Array): CsvTable {
  if (bytes.length > mostBytes)
    throw invalidField('file', `must have at most ${mostBytes} bytes`, 'field_too_long');
  const lines = linesOf(bytes);
  const [header = [], ...records] = lines;
  if (records.length === 0)
    throw invalidField('file', 'must have a line of columns and at least one row', 'field_too_short');
  if (records.length > mostRows)
    throw invalidField('file', `must have at most ${mostRows} rows; split it`, 'field_too_long');
  if (header.length > mostColumns)
    throw invalidField('file', `must have at most ${mostColumns} columns`, 'field_too_long');
  const names = header.map((name) => name.trim());
  const isKnown = (name: string) =>
    columns.includes(name) || Object.hasOwn(aliases, name) || overrides.test(name) || name === '';
  const rows = records.map((cells) => {
    const row = new Map<string, string>();
    const given = names.map((name, index) => [name, (cells[index] ?? '').trim()] as const);
    for (const [name, text] of given) if (text !== '' && !Object.hasOwn(aliases, name)) row.set(name, text);
    for (const [name, text] of given) {
      const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
      if (own !== undefined && text !== '' && !row.has(own)) row.set(own, text);
    }
    return row;
  });
  return { rows, unknown: names.filter((name) => !isKnown(name)) };
}

function linesOf(bytes: Uint8Array): string[][] {
  try {
    return parse(Buffer.from(bytes), { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    throw new HeraldError('invalid', 'file: is not a table of comma-separated values', {
      cause: error,
      param: 'file',
    });
  }
}

/** An account that a row can name by its platform. */
export interface NamedAccount {
  readonly id: string;
  readonly platform: Platform;
}

export interface RowContext {
  readonly accounts: readonly NamedAccount[];
  /** The names by which a row can name the profile. */
  readonly profiles: readonly string[];
  readonly workspaceId: string;
}

/** The body of Zernio's request to create the post of a row. */
export interface RowBody {
  readonly content: string;
  readonly platforms: readonly { readonly platform: Platform; readonly accountId: string }[];
}

/** Returns the body of Zernio's request to create the post, or the reasons that there is none. Pure. */
export function bodyOf(
  row: Row,
  context: RowContext,
): { readonly body: RowBody } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const foreign = list(row.get('profiles')).filter((profile) => !context.profiles.includes(profile));
  if (foreign.length > 0)
    errors.push(`profiles: ${foreign.join(', ')} not found; the workspace is the one profile`);
  const names = list(row.get('platforms'));
  if (names.length === 0) errors.push('platforms: is required');
  const platforms = names.flatMap((platform) => {
    const [account, ...others] = context.accounts.filter((each) => each.platform === platform);
    if (account && others.length === 0) return [entryOf(row, account)];
    errors.push(
      account
        ? `platforms: several accounts of ${platform} are connected, so the row does not say which one is meant`
        : `platforms: no account of ${platform} is connected`,
    );
    return [];
  });
  const isDraft = isTrue(row.get('is_draft'));
  const isQueued = isTrue(row.get('use_queue'));
  const hasTime =
    row.has('schedule_time') || [...row.keys()].some((name) => name.startsWith('schedule_time_'));
  if (!hasTime && !isDraft && !isQueued && !isTrue(row.get('publish_now')))
    errors.push('schedule_time: is required, or one of publish_now, use_queue and is_draft');
  if (errors.length > 0) return { errors };
  const body = {
    content: row.get('post_content') ?? row.get('title') ?? '',
    platforms,
    ...files('mediaItems', row.get('media_urls')),
    ...time(row.get('schedule_time')),
    ...(row.has('tz') && { timezone: row.get('tz') }),
    ...(isTrue(row.get('publish_now')) && { publishNow: true }),
    ...(isQueued && { queuedFromProfile: context.workspaceId }),
    ...(isDraft && { isDraft: true }),
    ...(row.has('tags') && { tags: list(row.get('tags')) }),
  };
  return { body };
}

/** The columns of the fields of a post and of its destinations. Those of a destination end with its platform. */
const columnsOfFields: readonly (readonly [field: string, column: string])[] = [
  ['content', 'post_content'],
  ['customContent', 'custom_content'],
  ['customMedia', 'custom_media'],
  ['mediaItems', 'media_urls'],
  ['queuedFromProfile', 'use_queue'],
  ['publishNow', 'publish_now'],
  ['isDraft', 'is_draft'],
  ['scheduledFor', 'schedule_time'],
  ['timezone', 'tz'],
];

/** Returns the column that a problem of a row is about, by Herald's path of the field. */
export function columnOf(body: RowBody): FieldName {
  const name = fieldsOfPost({ ...body });
  return (field) => {
    const theirs = name(field);
    const [, index, rest = theirs] = /^platforms\[(\d+)\]\.(.*)$/s.exec(theirs) ?? [];
    const [root] = rest.split(/[.[]/);
    const [, column] = columnsOfFields.find(([each]) => each === root) ?? [];
    if (index === undefined) return column ?? theirs;
    const platform = body.platforms[Number(index)]?.platform;
    return column !== undefined && platform !== undefined ? `${column}_${platform}` : 'platforms';
  };
}

const entryOf = (row: Row, { id, platform }: NamedAccount) => {
  const content = row.get(`custom_content_${platform}`);
  return {
    platform,
    accountId: id,
    ...(content !== undefined && { customContent: content }),
    ...files('customMedia', row.get(`custom_media_${platform}`)),
    ...time(row.get(`schedule_time_${platform}`)),
  };
};

const list = (text = ''): string[] =>
  text
    .split(/[,;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isTrue = (text = ''): boolean => /^(true|yes|1)$/i.test(text);

const files = (name: string, text: string | undefined) =>
  text === undefined
    ? {}
    : { [name]: text.split(/[,;|\s]+/).flatMap((url) => (url === '' ? [] : [{ url }])) };

/** A time in a table often has a space where ISO 8601 has a T. */
const time = (text: string | undefined) =>
  text === undefined ? {} : { scheduledFor: text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/, '$1T$2') };
