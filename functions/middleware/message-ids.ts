import { idsIn } from '../../lib/operating/message-ids.ts';
import type { LogKeys } from '../wire/logger.ts';

/** Log lines never identify people, and the keys of some items contain a person's id. */
const aboutPeople: readonly string[] = ['pk', 'sk', 'key', 'personId', 'senderId'];

/**
 * Returns the ids in a message or item that cannot be read, for the log line about it. Looks only at its own fields, not at
 * nested ones. Never throws.
 *
 * @param body JSON, or an object
 */
export function logIdsIn(body: unknown): LogKeys {
  const named = idsIn(body, 1).filter(({ name }) => !aboutPeople.includes(name));
  return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}
