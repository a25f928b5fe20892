import type { listSlotsOperation, readRhythmOperation } from '../../../rhythm/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { ReadFailure } from './read-failure.tsx';
import { RhythmForm } from './rhythm-form.tsx';
import classes from './rhythm-section.module.css';

const texts = words.accountsPage.rhythm;
const wanted = 10;

/** When posts go out that the person schedules for the next free slot, and which slots these are. */
export function RhythmSection({ accountId }: { accountId: string }) {
  const request = { path: { id: accountId } };
  const read = useGet<typeof readRhythmOperation>('/v1/accounts/{id}/rhythm', request);
  return (
    <Section title={texts.title} lead={texts.lead} isCard>
      {read.isPending && <Skeleton rows={3} />}
      {!read.data && <ReadFailure read={read} />}
      {read.data && (
        <div className={classes.rhythm}>
          <RhythmForm accountId={accountId} saved={read.data.rhythm} />
          <Slots accountId={accountId} />
        </div>
      )}
    </Section>
  );
}

function Slots({ accountId }: { accountId: string }) {
  const read = useGet<typeof listSlotsOperation>(
    '/v1/accounts/{id}/slots',
    { path: { id: accountId }, query: { count: String(wanted) } },
    { refetchEveryMs: 60_000 },
  );
  const slots = read.data?.slots;
  return (
    <section className={classes.slots} aria-labelledby="next-slots">
      <h3 id="next-slots">{texts.slots}</h3>
      <p className={classes.note}>{texts.slotsLead}</p>
      {read.isPending && <Skeleton kind="text" rows={6} />}
      {!slots && <ReadFailure read={read} />}
      {slots?.length === 0 && <p>{texts.noSlots}</p>}
      {slots !== undefined && slots.length > 0 && (
        <ol className={classes.times}>
          {slots.map(({ at }) => (
            <li key={at}>
              <Time at={at} />
            </li>
          ))}
        </ol>
      )}
      {slots !== undefined && slots.length > 0 && slots.length < wanted && (
        <p className={classes.note}>{texts.fewSlots}</p>
      )}
    </section>
  );
}
