/** Turns what users enter into what the API takes, and refuses what would be left out otherwise. */
import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHttpRequestOptions,
  NodeOperationError,
} from 'n8n-workflow';

type PreSend = (this: IExecuteSingleFunctions, options: IHttpRequestOptions) => Promise<IHttpRequestOptions>;

/**
 * Refuses an expression that found nothing. n8n leaves its field out of the request: the post would go live without its picture, and a
 * list would have no filter.
 */
export const refuseMissingValues: PreSend = async function (options) {
  for (const path of expressionsIn(this.getNode().parameters)) {
    const value = this.getNodeParameter(path, undefined);
    if (value !== undefined && value !== null) continue;
    const message = `The expression of "${path}" found nothing`;
    const description = `If an item may lack it, write {{ $json.field || '' }}.`;
    throw new NodeOperationError(this.getNode(), message, { description, itemIndex: this.getItemIndex() });
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

/** Ways to read a value, by the fields of a body. Expressions give numbers for texts, arrays for lists, and objects for JSON. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  chain: readJson,
  commentReply: readText,
  content: readText,
  dmMessage: readText,
  externalId: readText,
  keywords: readList,
  mediaItems: readMedia,
  metadata: readJson,
  name: readText,
  platforms: (value) => readList(value).map((accountId) => ({ accountId })),
  scheduledFor: readTime,
  tags: readList,
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
  reader: (value: unknown) => unknown,
  value: unknown,
): unknown {
  try {
    return reader(value);
  } catch (error) {
    const message = `"${name}" is not valid JSON`;
    const { message: description } = error as Error;
    throw new NodeOperationError(context.getNode(), message, {
      description,
      itemIndex: context.getItemIndex(),
    });
  }
}

export function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

export function readText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** Reads a text with commas, or an array. */
function readList(value: unknown): unknown[] {
  const parts =
    typeof value === 'string' || typeof value === 'number' ? String(value).split(',') : [value].flat();
  return parts
    .map((part) => (typeof part === 'string' ? part.trim() : readText(part)))
    .filter((part) => part !== '');
}

/** Reads addresses, or media items as JSON. */
function readMedia(value: unknown): unknown {
  const items =
    typeof value === 'string' && value.trim().startsWith('[') ? JSON.parse(value) : readList(value);
  return items.map((item: unknown) => (typeof item === 'string' ? { url: item } : item));
}

/** Reads a text, or a time that an expression has made, such as `{{ $now }}`. */
function readTime(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}
