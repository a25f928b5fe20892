import { randomToken } from '../kernel/ids.ts';
import { absent } from '../table/condition.ts';
import { linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems } from '../table/transaction.ts';
import { codeLength } from './codes.ts';

/** An address and the code it goes by. */
export interface TrackedLink {
  readonly code: string;
  /** As {@link checkDestinationUrl} wrote it. */
  readonly url: string;
}

/** What a link belongs to. */
export interface LinkOwner {
  readonly workspaceId: string;
  readonly automationId: string;
  /** As a timestamp. */
  readonly createdAt: string;
}

/** A code from a secure source. */
export const newCode = (): string => randomToken(codeLength);

/** A code for each address, and one only where an address comes twice; in the order of the addresses. */
export function planLinks(urls: readonly string[], nextCode: () => string = newCode): TrackedLink[] {
  return [...new Set(urls)].map((url) => ({ code: nextCode(), url }));
}

/** The writes that make the links, one each, for a transaction: it fails if a code is taken. */
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
