import { useEffect, useState } from 'react';
import type { listAuditOperation } from '../../../audit/operations.ts';
import type { listKeysOperation, listMembersOperation } from '../../../people/operations.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ComboBox } from '../../components/combo-box.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DayField } from '../../components/day-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Stack } from '../../components/layout.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import type { Choice } from '../../components/option.tsx';
import { Reading } from '../../components/reading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { isDay } from '../../time.ts';
import { type Filters as UrlFilters, useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { zoneTitle } from '../../zones.ts';
import { auditVerbs, isAuditVerb, rangeOf, textsOf, titleOf } from './audit-rules.ts';
import classes from './settings.module.css';

const texts = words.settingsPage.audit;

const perPage = '100';
/** A filtered page may be empty although more follow: it goes on by itself this often, then asks. */
const searchedPages = 10;

/** The changes of the workspace, newest first. Only owners come here. */
export default function AuditTab() {
  const { timezone } = useWorkspace();
  const filters = useFilters(filterNames);
  const { values } = filters;
  const range = rangeOf(values, timezone);
  const pages = usePages<typeof listAuditOperation>(
    '/v1/audit',
    {
      query: {
        limit: perPage,
        ...(values.actor !== '' && { actor: values.actor }),
        ...(isAuditVerb(values.verb) && { verb: values.verb }),
        ...range,
      },
    },
    { isEnabled: range !== undefined },
  );
  const actors = useActors();
  const entries = pages.data?.pages.flatMap(({ entries }) => entries) ?? [];
  const columns = auditColumns(actors);
  return (
    <Stack gap={5}>
      <p className={classes.lead}>{texts.lead}</p>
      <AuditFilters filters={filters} actors={actors} entries={entries} />
      {range !== undefined &&
        (pages.data === undefined ? (
          <Reading of={pages} rows={8} />
        ) : entries.length === 0 ? (
          <NoEntries pages={pages} isFiltered={filters.isAny} onClear={filters.clear} />
        ) : (
          <div>
            <Table label={texts.label} columns={columns} rows={entries} idOf={({ id }) => id} />
            <LoadMore pages={pages} />
            <p role="status" className={classes.shown}>
              {pages.hasNextPage ? texts.shownSoFar(entries.length) : texts.shown(entries.length)}
            </p>
          </div>
        ))}
    </Stack>
  );
}

interface NoEntriesProps {
  pages: ReturnType<typeof usePages<typeof listAuditOperation>>;
  isFiltered: boolean;
  onClear: () => void;
}

/** Nothing at all, nothing that fits, or nothing yet: then it goes on to older entries. */
function NoEntries({ pages, isFiltered, onClear }: NoEntriesProps) {
  const [allowed, setAllowed] = useState(searchedPages);
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const searched = data?.pages.length ?? 0;
  const goesOn = hasNextPage && searched < allowed && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const clear = <Button onPress={onClear}>{texts.clear}</Button>;
  if (goesOn)
    return (
      <p role="status" className={classes.searching}>
        <Spinner /> {texts.searching}
      </p>
    );
  if (isFetchNextPageError && pages.error)
    return <ErrorState error={pages.error} onRetry={() => void fetchNextPage()} isRetrying={isFetching} />;
  if (hasNextPage)
    return (
      <EmptyState
        icon="search"
        title={texts.noneYetTitle}
        action={
          <>
            <Button onPress={() => setAllowed(searched + searchedPages)}>{texts.searchOlder}</Button>
            {clear}
          </>
        }
      >
        <p>{texts.noneYetText}</p>
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState icon="search" title={texts.noneTitle} action={clear}>
        <p>{texts.noneText}</p>
      </EmptyState>
    );
  return (
    <EmptyState icon="clock" title={texts.emptyTitle}>
      <p>{texts.emptyText}</p>
    </EmptyState>
  );
}

/** The choice without a filter. It is no id of an actor and no verb. */
const all = 'all';

const filterNames = ['actor', 'verb', 'from', 'to'] as const;
type Filters = UrlFilters<(typeof filterNames)[number]>;

interface FiltersProps {
  filters: Filters;
  actors: Actors;
  entries: readonly Entry[];
}

/** The filters by actor, verb and days. The URL keeps them. */
function AuditFilters({ filters: { values, set, clear, isAny }, actors, entries }: FiltersProps) {
  const { timezone } = useWorkspace();
  const isBackwards = isDay(values.from) && isDay(values.to) && values.to < values.from;
  const actorChoices = actorChoicesOf(actors, entries, values.actor);
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

function actorChoicesOf(actors: Actors, entries: readonly Entry[], filter: string): readonly Choice[] {
  const seen = new Map(entries.map(({ actor }) => [actor.id, actor]));
  const others = [...seen.values()]
    .filter(({ id }) => !actors.known.some((each) => each.id === id))
    .map((actor) => ({
      id: actor.id,
      name: actors.nameOf(actor),
      note: actors.isNameless(actor) ? actor.id : texts.kinds[actor.kind],
    }));
  const listed = [...actors.known, ...others];
  const isListed = filter === '' || listed.some(({ id }) => id === filter);
  return [
    { id: all, name: texts.anybody },
    ...listed,
    // Anybody can write a link with a text as filter. It is not shown.
    ...(isListed ? [] : [{ id: filter, name: actors.isRead ? texts.unknownActor : words.shared.loading }]),
  ];
}

const tones = { done: 'good', refused: 'bad', begun: 'info' } as const satisfies Record<
  Entry['outcome'],
  Tone
>;

const auditColumns = (actors: Actors): readonly Column<Entry>[] => [
  {
    id: 'what',
    title: texts.columns.what,
    isRowHeader: true,
    cell: (entry) => <What entry={entry} actors={actors} />,
  },
  { id: 'when', title: texts.columns.when, width: '10rem', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'outcome',
    title: texts.columns.outcome,
    width: '5.5rem',
    cell: ({ outcome }) => <Status tone={tones[outcome]}>{texts.outcomes[outcome]}</Status>,
  },
  {
    id: 'ids',
    title: texts.columns.ids,
    width: '13rem',
    cell: (entry) => <Ids entry={entry} actors={actors} />,
  },
];

interface CellProps {
  entry: Entry;
  actors: Actors;
}

function What({ entry, actors }: CellProps) {
  const { actor, verb, outcome, subjectName, count, lastAt, note } = entry;
  return (
    <span className={classes.what}>
      <span>
        <bdi className={classes.actor}>{actors.nameOf(actor)}</bdi> {sentenceOf(entry)}
        {subjectName !== undefined && (
          <>
            : <bdi className={classes.actor}>{subjectName}</bdi>
          </>
        )}
      </span>
      {count !== undefined && lastAt !== undefined && (
        <span className={classes.auditMinor}>
          {texts.times(count)} <Time at={lastAt} isInline />
        </span>
      )}
      <span className={classes.auditMinor}>
        <code>{verb}</code>
        {actor.kind !== 'person' && ` · ${texts.kinds[actor.kind]}`}
      </span>
      {outcome === 'begun' && <span className={classes.auditMinor}>{texts.begunNote}</span>}
      {note !== undefined && (
        <bdi className={classes.auditMinor}>{outcome === 'refused' ? sentence(note) : note}</bdi>
      )}
    </span>
  );
}

function Ids({ entry: { actor, subjectId, requestId, accountIds }, actors }: CellProps) {
  return (
    <span className={classes.ids}>
      {subjectId !== null && <Id name={texts.subject} copyLabel={texts.copySubject} id={subjectId} />}
      {accountIds !== undefined && accountIds.length > 0 && (
        <Id name={texts.accounts} copyLabel={texts.copyAccounts} id={accountIds.join('\n')} />
      )}
      <Id name={texts.request} copyLabel={texts.copyRequest} id={requestId} />
      {actors.isNameless(actor) && <Id name={texts.actorId} copyLabel={texts.copyActor} id={actor.id} />}
    </span>
  );
}

/** Ids begin with their time, so it is the end that tells them apart. */
const idEnd = 6;

function Id({ name, copyLabel, id }: { name: string; copyLabel: string; id: string }) {
  return (
    <span className={classes.auditId}>
      <span className={classes.idName}>{name}</span>
      <code className={classes.idText}>
        <span className={classes.idBegin}>{id.slice(0, -idEnd)}</span>
        <span>{id.slice(-idEnd)}</span>
      </code>
      <CopyButton text={id} label={copyLabel} />
    </span>
  );
}

/** Returns the words after the actor's name: “created a post”, “tried to delete a post”. */
function sentenceOf({ verb, outcome, accountIds }: Entry): string {
  const { did, todo } = textsOf(verb);
  if (outcome === 'refused') return texts.triedTo(todo);
  if (outcome === 'begun') return texts.beganTo(todo);
  // An attempt to connect is written when it begins, and again once it has connected something.
  if (verb === 'account.connect')
    return accountIds === undefined ? texts.beganTo(todo) : texts.connected(accountIds.length);
  return did;
}

type Entry = ReplyOf<typeof listAuditOperation>['entries'][number];
type Actor = Entry['actor'];

/** An actor whom people know. */
interface KnownActor {
  readonly id: string;
  readonly name: string;
  /** Tells those of the same name apart: an email address, or that it is a key. */
  readonly note: string;
}

interface Actors {
  /** Those that the list can be filtered by: members, then keys. */
  readonly known: readonly KnownActor[];
  /** True if all of them are known. */
  readonly isRead: boolean;
  readonly nameOf: (actor: Actor) => string;
  /** Returns true if the name alone does not say who it was. */
  readonly isNameless: (actor: Actor) => boolean;
}

/** Knows the actors of the workspace by its members and keys. Until they are read, and for those who left, names are general. */
function useActors(): Actors {
  const { data: people } = useGet<typeof listMembersOperation>('/panel/members');
  const { data: issued } = useGet<typeof listKeysOperation>('/panel/keys');
  const members = (people?.members ?? []).flatMap(({ personId, name, email }) =>
    personId === null ? [] : [{ id: personId, name: name ?? email, note: email }],
  );
  const keys = (issued?.keys ?? []).map(({ id, name, status }) => ({
    id,
    name,
    note: status === 'active' ? texts.kinds.key : texts.keyThat(status),
  }));
  const known = [...members, ...keys];
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const isRead = { person: people !== undefined, key: issued !== undefined, operator: true };
  const isNameless = ({ kind, id }: Actor) => kind !== 'operator' && isRead[kind] && !names.has(id);
  const nameOf = ({ kind, id }: Actor) => {
    if (kind === 'operator') return id;
    return names.get(id) ?? (isRead[kind] ? texts.unknown[kind] : texts.kinds[kind]);
  };
  return { known, isRead: isRead.person && isRead.key, nameOf, isNameless };
}
