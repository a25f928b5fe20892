import { read, remove, write } from '../../../api/stored.ts';
import type { Draft } from './draft.ts';

/** An unsaved automation as this browser keeps it. */
export interface Kept {
  readonly draft: Draft;
  /** As the changes began: for an automation that exists. */
  readonly before: Draft | undefined;
  /** Epoch milliseconds. */
  readonly editedAt: number;
}

/** Another form is not read: what is in storage may be of an older release of this page. */
const version = 1;
const longestMs = 30 * 86_400_000;
const prefix = 'automations/';

/** Whose it is: somebody else who signs in at this browser does not see it. */
export const keptName = (personId: string, workspaceId: string, of: string): string =>
  `${prefix}${personId}/${workspaceId}/${of}`;

type Storing = () => Storage;

export function readKept(storage: Storing, name: string, now: number): Kept | undefined {
  try {
    const kept = JSON.parse(read(storage, name) ?? 'null');
    const isReadable = kept?.version === version && now - kept.editedAt < longestMs && isDraft(kept.draft);
    return isReadable ? kept : undefined;
  } catch {
    return undefined;
  }
}

export const writeKept = (storage: Storing, name: string, kept: Kept): void =>
  write(storage, name, JSON.stringify({ version, ...kept }));

export const removeKept = (storage: Storing, name: string): void => remove(storage, name);

/** Removes what nobody has come back to. */
export function removeOld(storage: Storing, now: number): void {
  try {
    const names = Object.keys(storage()).filter((name) => name.startsWith(prefix));
    for (const name of names) if (readKept(storage, name, now) === undefined) remove(storage, name);
  } catch {
    // A storage that is forbidden has nothing.
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { accountId, commentReply, dmMessage, keywords, buttons, gate } = value as Partial<Draft>;
  return (
    [accountId, commentReply, dmMessage].every((text) => typeof text === 'string') &&
    [keywords, buttons].every(Array.isArray) &&
    typeof gate === 'object'
  );
}
