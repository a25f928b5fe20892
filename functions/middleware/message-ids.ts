import type { LogKeys } from '../wire/logger.ts';

/** The fields of messages and items that name something. None holds what people wrote, and none a secret. */
const idNames = [
  'workspaceId',
  'postId',
  'accountId',
  'platform',
  'wakeNumber',
  'webhookId',
  'deliveryId',
  'attemptNumber',
  'automationId',
  'mediaId',
  'kind',
] as const;

/** Nothing that names something is longer, and nothing in it needs other characters. */
const idPattern = /^[\w.:-]{1,64}$/;

/**
 * The ids in a message or an item that may be unreadable otherwise, for the log line that says so: those of its fields that
 * name something and look like it, on the first level. Never throws.
 *
 * @param body JSON, or an object
 */
export function idsIn(body: unknown): LogKeys {
  const read = typeof body === 'string' ? parsed(body) : body;
  if (typeof read !== 'object' || read === null) return {};
  const fields = read as Readonly<Record<string, unknown>>;
  const found = idNames.flatMap((name): [string, string | number][] => {
    const value = fields[name];
    if (typeof value === 'number') return [[name, value]];
    return typeof value === 'string' && idPattern.test(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
