import { joinWakes, wakeName, wakesOf } from '../message.ts';
import type { Effect, WakeEffect } from './effects.ts';

/** An effect of one change of a batch. */
export interface ChangeEffect {
  /** The place of the change in the batch. */
  readonly change: number;
  readonly effect: Effect;
}

/** An effect that is run once for one or more changes of a batch. */
export interface Errand {
  readonly effect: Effect;
  /** The places of the changes in the batch. */
  readonly changes: readonly number[];
}

/**
 * Joins effects of a batch: wakes of a post at the same time and for the same queue, and the roll-ups of a post. Pure. Keeps the
 * order in which they come.
 */
export function errandsOf(effects: readonly ChangeEffect[]): Errand[] {
  const groups = new Map<string, ChangeEffect[]>();
  for (const [index, each] of effects.entries()) {
    const name = groupOf(each.effect) ?? `${index}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups.values()].flatMap(joined);
}

/** Returns the name that effects share if they may be run as one; `undefined` if the effect is run alone. */
function groupOf(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'schedule wake':
    case 'unschedule wake': {
      const { workspaceId, postId } = effect.message;
      return [effect.kind, workspaceId, postId, effect.wakeMs, effect.queue].join(' ');
    }
    case 'roll-up':
      return [effect.kind, effect.workspaceId, effect.postId].join(' ');
    default:
      return undefined;
  }
}

function joined(group: readonly ChangeEffect[]): Errand[] {
  const [first] = group;
  if (first === undefined) return [];
  const { effect } = first;
  if (effect.kind !== 'schedule wake' && effect.kind !== 'unschedule wake')
    return [{ effect, changes: group.map(({ change }) => change) }];
  const wakes = group.map(({ change, effect: each }) => ({ change, ...(each as WakeEffect).message }));
  const aheadMs = Math.max(...group.map(({ effect: each }) => (each as WakeEffect).aheadMs));
  return joinWakes(wakes.map(({ change: _change, ...wake }) => wake)).map((message) => {
    const named = new Set(wakesOf(message).map(wakeName));
    const changes = wakes.filter((wake) => named.has(wakeName(wake))).map(({ change }) => change);
    return { effect: { ...effect, message, aheadMs }, changes };
  });
}
