import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FileError, type FileRecord, type ParsedRecord } from './records.ts';

/** The columns of a CSV file, with their descriptions for the help text. */
export const csvColumns = {
  content: 'the text of the post',
  scheduledFor: 'the time at which it goes live: ISO 8601, or auto for the next free slot; empty for a draft',
  timezone: 'the time zone of times without an offset, such as Europe/Berlin; default UTC',
  accounts:
    'its destinations, separated by semicolons: account ids, or platform:username such as instagram:harbour.coffee',
  media: 'URLs of its files, separated by semicolons or spaces',
  tags: 'its tags, separated by semicolons or commas',
  coverUrl: 'the publicUrl of its cover image',
  externalId: 'your own id of the post',
  idempotencyKey:
    'the key with which the post is created only once, however often it is sent; default: from the digest of the file and the line',
} as const;

const metadataPrefix = 'metadata.';

/** The maximum size of one post. A request may have 6 MB. */
const maxRecordBytes = 1_000_000;

/** Finds the account behind an entry of the column `accounts`. @returns its id, or the problem */
export type FindAccount = (name: string) => { readonly id: string } | { readonly problem: string };

/**
 * Reads a CSV file (RFC 4180, UTF-8) with a header row. Only the columns of {@link csvColumns} and `metadata.…` are allowed, in
 * any order.
 *
 * @throws FileError if the header is wrong, or a quote is not closed
 */
export async function* readCsv(path: string, findAccount: FindAccount): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  });
  // The parser is read below, where its error is thrown.
  pipeline(createReadStream(path), parser, () => {});
  let header: readonly string[] | undefined;
  let lastLine = 0;
  let countedTwice = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      lastLine = info.lines;
      const breaks = record.join('').match(/\r\n|\r|\n/g) ?? [];
      // The parser counts a quoted CR LF as two lines.
      countedTwice += breaks.filter((each) => each === '\r\n').length;
      const line = lastLine - countedTwice - breaks.length;
      if (header === undefined) {
        header = record.map((name) => name.trim());
        requireColumns(header);
        continue;
      }
      yield { line, endByte: info.bytes, parsed: toBody(header, record, findAccount) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new FileError(`after line ${lastLine}: ${error.message}`);
    throw error;
  }
  if (header === undefined) throw new FileError('the file is empty: the first row must name the columns');
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

function requireColumns(header: readonly string[]): void {
  const known = Object.keys(csvColumns);
  const wrong = header.find((name) => !known.includes(name) && !isMetadata(name));
  if (wrong !== undefined)
    throw new FileError(
      `the column "${wrong}" is unknown. The columns are ${known.join(', ')} and metadata.<name>.`,
    );
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) throw new FileError(`the column "${twice}" is there twice`);
}

const isMetadata = (name: string): boolean =>
  name.startsWith(metadataPrefix) && name.length > metadataPrefix.length;

/** Converts a row to the body of a request. Empty cells are left out. */
function toBody(header: readonly string[], row: readonly string[], findAccount: FindAccount): ParsedRecord {
  if (row.length !== header.length)
    return {
      problem: { field: 'line', message: `has ${row.length} columns; the header has ${header.length}` },
    };
  const filled = header.flatMap((name, index) => (row[index] ? [[name, row[index]] as const] : []));
  const { accounts = '', media = '', tags = '', ...fields } = Object.fromEntries(filled);
  const found = listed(accounts, /;/).map(findAccount);
  const unknown = found.find((each) => 'problem' in each);
  if (unknown) return { problem: { field: 'accounts', message: unknown.problem } };
  const metadata = filled.filter(([name]) => isMetadata(name));
  const urls = listed(media, /[;\s]/);
  const own = Object.entries(fields).filter(([name]) => !isMetadata(name));
  return {
    body: {
      ...Object.fromEntries(own),
      ...(found.length > 0 && {
        platforms: found.flatMap((each) => ('id' in each ? [{ accountId: each.id }] : [])),
      }),
      // Without a time, a post without destinations is a draft. With a time, the API says what is missing.
      ...(found.length === 0 && fields['scheduledFor'] === undefined && { isDraft: true }),
      ...(tags !== '' && { tags: listed(tags, /[;,]/) }),
      ...(urls.length > 0 && { mediaItems: urls.map((url) => ({ url })) }),
      ...(metadata.length > 0 && {
        metadata: Object.fromEntries(
          metadata.map(([name, value]) => [name.slice(metadataPrefix.length), value]),
        ),
      }),
    },
  };
}

const listed = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
