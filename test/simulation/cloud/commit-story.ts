import type { Item } from '../../support/database/database.ts';
import { callsOf } from '../judge/calls.ts';
import type { Tell } from '../story.ts';
import type { Change, Committed } from './committed.ts';
import { itemName } from './item-names.ts';

/** Tells the commits that change a status, record an intent or an outcome, or introduce a name for readers. */
export function tellCommits(committed: Committed, now: () => number, tell: Tell): void {
  const names = namer();
  committed.listen((change) => {
    const text = textOf(change);
    const introduced = change.before || !change.after ? {} : names(change.kind, change.after);
    if (text === undefined && Object.keys(introduced).length === 0) return;
    tell({
      atMs: now(),
      actor: change.by.name,
      kind: 'commit',
      text: text ?? `${itemName(change.after ?? {})}: created`,
      names: introduced,
    });
  });
}

/** Names what is new: workspaces and accounts by their order, posts by their content. */
function namer() {
  const taken = new Map<string, number>();
  const numbered = (name: string) => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count;
  };
  return (kind: string, { id, platform, platformAccountId, content }: Item): Record<string, string> => {
    if (kind === 'workspace') return { [String(id)]: `workspace-${numbered(kind)}` };
    if (kind === 'account') {
      const name = `${platform}-${numbered(String(platform))}`;
      return { [String(id)]: name, [String(platformAccountId)]: name };
    }
    if (kind !== 'post') return {};
    const name = String(content).replaceAll(' ', '-');
    const count = numbered(name);
    return { [String(id)]: count === 1 ? name : `${name}-${count}` };
  };
}

/** `undefined` if nothing changed that a reader needs to see. */
function textOf({ kind, before, after }: Change): string | undefined {
  const item = after ?? before;
  if (!item) return undefined;
  const changes: string[] = [];
  const [from, to] = [before?.['status'], after?.['status']];
  if (!after && typeof from === 'string') changes.push(`${from} → deleted`);
  else if (from !== to && typeof to === 'string') changes.push(from === undefined ? to : `${from} → ${to}`);
  if (kind === 'target' && after) changes.push(...callChanges(before, after));
  if (after?.['disconnectedAt'] !== undefined && before?.['disconnectedAt'] === undefined)
    changes.push('disconnected');
  if (changes.length === 0) return undefined;
  const error = after?.['error'];
  const reason = typeof error === 'string' && error !== before?.['error'] ? ` (${error})` : '';
  return `${itemName(item)}: ${changes.join(', ')}${reason}`;
}

/** The records of last calls that were added or have a new outcome. */
function callChanges(before: Item | undefined, after: Item): string[] {
  const former = callsOf(before);
  return callsOf(after).flatMap(({ outcome }, index) =>
    outcome === former[index]?.outcome ? [] : [`last call ${index + 1} is ${outcome}`],
  );
}
