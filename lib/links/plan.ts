import { randomToken } from '../kernel/ids.ts';
import { absent } from '../table/condition.ts';
import { linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems } from '../table/transaction.ts';
import { codeLength } from './codes.ts';

/** A destination and its link's code. */
export interface TrackedLink {
  readonly code: string;
  /** The URL as normalized by {@link checkDestinationUrl}. */
  readonly url: string;
}

/** The automation and workspace that a link belongs to. */
export interface LinkOwner {
  readonly workspaceId: string;
  readonly automationId: string;
  /** An ISO 8601 timestamp. */
  readonly createdAt: string;
}

/** Returns a new random code from a cryptographically secure source. */
export const newCode = (): string => randomToken(codeLength);

/** Plans one link for each distinct URL, in the order of the URLs. */
export function planLinks(urls: readonly string[], nextCode: () => string = newCode): TrackedLink[] {
  return [...new Set(urls)].map((url) => ({ code: nextCode(), url }));
}

/** Returns the writes that create the links, one per link. Their transaction fails if a code is already in use. */
export function linkWrites(
  table: Pick<Table, 'name'>,
  links: readonly TrackedLink[],
  { workspaceId, automationId, createdAt }: LinkOwner,
): TransactionItems {
  return links.map(({ code, url }) =>
    putPart(
      table,
      { ...linkKey(code), kind: 'link', url, workspaceId, automationId, createdAt },
      { pk: absent },
    ),
  );
}
