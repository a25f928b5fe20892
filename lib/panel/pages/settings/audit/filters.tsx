import { useMemo } from 'react';
import { Button } from '../../../components/button.tsx';
import { join } from '../../../components/classes.ts';
import { ComboBox } from '../../../components/combo-box.tsx';
import { DayField } from '../../../components/day-field.tsx';
import type { Choice } from '../../../components/option.tsx';
import { isDay } from '../../../time.ts';
import type { Filters as UrlFilters } from '../../../use-filters.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { zoneTitle } from '../../../zones.ts';
import type { Actors, Entry } from './actors.ts';
import classes from './audit.module.css';
import { auditVerbs, titleOf } from './verbs.ts';

const texts = words.settingsPage.audit;

/** The choice without a filter. It is no id of an actor and no verb. */
const all = 'all';

export const filterNames = ['actor', 'verb', 'from', 'to'] as const;
export type Filters = UrlFilters<(typeof filterNames)[number]>;

interface FiltersProps {
  filters: Filters;
  actors: Actors;
  entries: readonly Entry[];
}

/** By whom, what, and when. The URL keeps it. */
export function AuditFilters({ filters: { values, set, clear, isAny }, actors, entries }: FiltersProps) {
  const { timezone } = useWorkspace();
  const isBackwards = isDay(values.from) && isDay(values.to) && values.to < values.from;
  const actorChoices = useActorChoices(actors, entries, values.actor);
  return (
    <search className={classes.filters} aria-label={texts.filters}>
      <div className={join(classes.pair, classes.choices)}>
        <ComboBox
          label={texts.actor}
          choices={actorChoices}
          value={values.actor || all}
          onChange={(key) => set({ actor: chosen(key) })}
        />
        <ComboBox
          label={texts.verb}
          choices={verbChoices}
          value={values.verb || all}
          onChange={(key) => set({ verb: chosen(key) })}
        />
      </div>
      <div className={classes.pair}>
        <DayField label={texts.from} value={values.from} onChange={(from) => set({ from })} />
        <DayField
          label={texts.to}
          value={values.to}
          problem={isBackwards ? texts.toBeforeFrom : undefined}
          onChange={(to) => set({ to })}
        />
      </div>
      <div className={classes.below}>
        <span>{texts.days(zoneTitle(timezone))}</span>
        {isAny && (
          <Button size="small" variant="quiet" icon="cross" onPress={clear}>
            {texts.clear}
          </Button>
        )}
      </div>
    </search>
  );
}

const chosen = (key: unknown): string => (key === null || key === all ? '' : String(key));

const verbChoices: readonly Choice[] = [
  { id: all, name: texts.anything },
  ...auditVerbs.map((verb) => ({ id: verb, name: titleOf(verb), note: verb })),
];

function useActorChoices(actors: Actors, entries: readonly Entry[], filter: string): readonly Choice[] {
  // A list with the same actors is the same list: the field would otherwise begin anew with every refresh.
  const seen = JSON.stringify(
    [...new Map(entries.map(({ actor }) => [actor.id, actor])).values()].filter(
      ({ id }) => !actors.known.some((each) => each.id === id),
    ),
  );
  return useMemo(() => {
    const others = (JSON.parse(seen) as Entry['actor'][]).map((actor) => ({
      id: actor.id,
      name: actors.nameOf(actor),
      note: actors.isNameless(actor) ? actor.id : texts.kinds[actor.kind],
    }));
    const listed = [...actors.known, ...others];
    const isListed = filter === '' || listed.some(({ id }) => id === filter);
    return [
      { id: all, name: texts.anybody },
      ...listed,
      ...(isListed ? [] : [{ id: filter, name: actors.isRead ? filter : words.shared.loading }]),
    ];
  }, [actors, seen, filter]);
}
