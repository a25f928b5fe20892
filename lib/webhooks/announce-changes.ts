import { measurementsOfAccount } from '../accounts/store.ts';
import type { Measurement } from '../metrics/measurements.ts';
import type { ItemChange } from '../table/stream.ts';
import { type AnnouncePorts, announce } from './announce.ts';
import type { EventDraft } from './events/event-draft.ts';
import { type EventSettings, eventsFromChange } from './events/events-from-changes.ts';

/** The events and measurements of a committed change. */
export interface News {
  /** The events, at least one. */
  readonly drafts: readonly EventDraft[];
  /** The measurements of the change, reported once all its events are announced. */
  readonly measurements: readonly Measurement[];
}

/**
 * Returns the events of a change to announce; `undefined` if there are none. Pure.
 *
 * @throws if the item cannot be read
 */
export function newsOf(change: ItemChange, settings: EventSettings): News | undefined {
  const drafts = eventsFromChange(change, settings);
  return drafts.length === 0 ? undefined : { drafts, measurements: measurementsOfAccount(change) };
}

export interface AnnounceChangesPorts extends AnnouncePorts {
  /** Called for each event that must be announced again. */
  readonly report: (draft: EventDraft, error: unknown) => void;
}

/**
 * Announces the events of several changes together. Idempotent, like {@link announce}.
 *
 * @returns an outcome per change, in order: its measurements; or the reason to announce the change again, if one of its events
 *   failed
 */
export async function announceChanges(
  ports: AnnounceChangesPorts,
  changes: readonly News[],
): Promise<readonly PromiseSettledResult<readonly Measurement[]>[]> {
  const outcomes = (
    await announce(
      ports,
      changes.flatMap(({ drafts }) => drafts),
    )
  ).values();
  return changes.map(({ drafts, measurements }) => {
    let failure: PromiseRejectedResult | undefined;
    for (const draft of drafts) {
      const outcome = outcomes.next().value;
      if (outcome?.status !== 'rejected') continue;
      ports.report(draft, outcome.reason);
      failure ??= outcome;
    }
    return failure ?? { status: 'fulfilled', value: measurements };
  });
}
