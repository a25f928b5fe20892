import { CopyButton } from '../../../components/copy-button.tsx';
import { sentence } from '../../../components/error-notice.tsx';
import { Status, type Tone } from '../../../components/status.tsx';
import type { Column } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import type { Actors, Entry } from './actors.ts';
import classes from './audit.module.css';
import { sentenceOf } from './sentence.ts';

const texts = words.settingsPage.audit;

const tones = { done: 'good', refused: 'bad', begun: 'info' } as const satisfies Record<
  Entry['outcome'],
  Tone
>;

export const auditColumns = (actors: Actors): readonly Column<Entry>[] => [
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
  const { actor, verb, outcome, note } = entry;
  return (
    <span className={classes.what}>
      <span>
        <bdi className={classes.actor}>{actors.nameOf(actor)}</bdi> {sentenceOf(entry)}
      </span>
      <span className={classes.minor}>
        <code>{verb}</code>
        {actor.kind !== 'person' && ` · ${texts.kinds[actor.kind]}`}
      </span>
      {outcome === 'begun' && <span className={classes.minor}>{texts.begunNote}</span>}
      {note !== undefined && (
        <bdi className={classes.minor}>{outcome === 'refused' ? sentence(note) : note}</bdi>
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
    <span className={classes.id}>
      <span className={classes.idName}>{name}</span>
      <code className={classes.idText}>
        <span className={classes.idBegin}>{id.slice(0, -idEnd)}</span>
        <span>{id.slice(-idEnd)}</span>
      </code>
      <CopyButton text={id} label={copyLabel} />
    </span>
  );
}
