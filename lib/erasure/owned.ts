import { automationPartition, automationsPartition, ownedPartition } from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** The partitions that belong to a workspace although their keys do not name it, and the codes of its links. */
export interface Owned {
  /** Partitions such as `AUTOMATION#<id>` and `LOGIN#<platform>#<id>`. */
  readonly partitions: ReadonlySet<string>;
  readonly linkCodes: ReadonlySet<string>;
}

/**
 * Reads the notes of owned partitions, and the automations themselves, because earlier releases stored no notes. Reads single
 * attributes, so that no damaged item stops the erasure.
 */
export async function readOwned(table: Table, workspaceId: string): Promise<Owned> {
  const partitions = new Set<string>();
  const linkCodes = new Set<string>();
  for (const { sk, linkCodes: codes } of await queryAll(table, { partition: ownedPartition(workspaceId) })) {
    partitions.add(String(sk));
    if (codes instanceof Set) for (const code of codes) linkCodes.add(String(code));
  }
  for await (const page of queryPages(table, { partition: automationsPartition(workspaceId) })) {
    for (const { sk, links, formerLinks } of page) {
      partitions.add(automationPartition(String(sk)));
      for (const code of [...codesIn(links), ...codesIn(formerLinks)]) linkCodes.add(code);
    }
  }
  return { partitions, linkCodes };
}

function codesIn(links: unknown): string[] {
  const list = Array.isArray(links) ? links : [];
  return list.flatMap((link) => (typeof link?.code === 'string' ? [link.code] : []));
}
