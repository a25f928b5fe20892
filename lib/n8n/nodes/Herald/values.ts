/** Turns what users enter into what the API takes, and refuses what would be left out otherwise. */
import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHttpRequestOptions,
  NodeOperationError,
} from 'n8n-workflow';

export type PreSend = (
  this: IExecuteSingleFunctions,
  options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** Makes the error for a value of the item that must not be sent. */
export const refusal = (context: IExecuteSingleFunctions, message: string, description?: string) =>
  new NodeOperationError(context.getNode(), message, {
    itemIndex: context.getItemIndex(),
    ...(description !== undefined && { description }),
  });

/**
 * Refuses an expression that found nothing. n8n leaves its field out of the request: the post would go live without its picture, and a
 * list would have no filter.
 */
export const refuseMissingValues: PreSend = async function (options) {
  for (const path of expressionsIn(this.getNode().parameters)) {
    const value = this.getNodeParameter(path, undefined);
    if (value !== undefined && value !== null) continue;
    throw refusal(
      this,
      `The expression of "${path}" found nothing`,
      `If an item may lack it, write {{ $json.field || '' }}.`,
    );
  }
  return options;
};

function expressionsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.startsWith('=') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each, index) => expressionsIn(each, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    expressionsIn(each, path === '' ? name : `${path}.${name}`),
  );
}

type Reader = (value: unknown) => unknown;
const orNull =
  (reader: Reader): Reader =>
  (value) =>
    value === '' ? null : reader(value);

/**
 * Ways to read a value, by the fields of a body. Expressions give numbers for texts, arrays for lists, objects for JSON, and an empty text
 * for what an item lacks.
 */
const readers: Readonly<Record<string, Reader>> = {
  chain: (value) => (value === '' ? [] : readJson(value)),
  commentReply: readText,
  content: readText,
  coverUrl: orNull(readText),
  dmMessage: readText,
  externalId: orNull(readText),
  keywords: (value) => readList(value),
  mediaItems: readMedia,
  metadata: orNull(readJson),
  name: readText,
  platforms: (value) => readList(value).map((accountId) => ({ accountId })),
  scheduledFor: readTime,
  tags: (value) => readList(value),
  timezone: (value) => value || undefined,
};

/** Reads the fields of the body. */
export const readBody: PreSend = async function (options) {
  const body = Object.entries(options.body as IDataObject).map(([name, value]) => [
    name,
    readField(this, name, readers[name] ?? ((same) => same), value),
  ]);
  return { ...options, body: Object.fromEntries(body) };
};

/** @throws NodeOperationError with the name of the field if the reader throws */
export function readField(
  context: IExecuteSingleFunctions,
  name: string,
  reader: Reader,
  value: unknown,
): unknown {
  try {
    return reader(value);
  } catch (error) {
    throw refusal(context, `"${name}" is not valid JSON`, (error as Error).message);
  }
}

export function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

export function readText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** Reads an array, its JSON, or a text with separators. */
function readList(value: unknown, separator: string | RegExp = ','): unknown[] {
  const list = typeof value === 'string' && value.trim().startsWith('[') ? JSON.parse(value) : value;
  const parts =
    typeof list === 'string' || typeof list === 'number' ? String(list).split(separator) : [list].flat();
  return parts
    .map((part) => (typeof part === 'string' ? part.trim() : readText(part)))
    .filter((part) => part !== '');
}

/** Reads addresses, which may contain commas, or media items. */
function readMedia(value: unknown): unknown {
  return readList(value, /[\r\n]+|,+(?=\s*(?:https?:|$))/i).map((item) =>
    typeof item === 'string' ? { url: item } : item,
  );
}

/** Reads a text, or a time that an expression has made, such as `{{ $now }}`. Returns null for the result of a calculation that failed. */
function readTime(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

/** Reads the parameters of the query: lists become texts, and the times of a period get the offset of the time zone of the workflow. */
export const readQuery: PreSend = async function (options) {
  const qs = Object.entries(options.qs ?? {}).map(([name, value]) => {
    const isTime = name === 'from' || name === 'to';
    const text = [isTime ? readTime(value) : value].flat().join(',');
    // For the API, some empty parameters are none: the list would have more than the user seeks.
    if (text === '') throw refusal(this, `The filter "${name}" is empty`, 'Remove it, or give it a value.');
    if (!isTime || !/^[\d:.T -]+$/.test(text)) return [name, text];
    const withOffset = `{{ DateTime.fromISO("${text}").toISO() }}`;
    return [name, this.evaluateExpression(withOffset, this.getItemIndex()) || text];
  });
  return { ...options, qs: Object.fromEntries(qs) };
};
