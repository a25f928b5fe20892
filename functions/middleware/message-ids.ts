import { idsIn } from '../../lib/operating/message-ids.ts';
import type { LogKeys } from '../wire/logger.ts';

/** Logs name no people. The keys of some items contain a person's id. */
const aboutPeople: readonly string[] = ['pk', 'sk', 'key', 'personId', 'senderId'];

/**
 * The ids in a message or an item that cannot be read, for the log line that says so: of its own fields, not of those within
 * them. Never throws.
 *
 * @param body JSON, or an object
 */
export function logIdsIn(body: unknown): LogKeys {
  const named = idsIn(body, 1).filter(({ name }) => !aboutPeople.includes(name));
  return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}
