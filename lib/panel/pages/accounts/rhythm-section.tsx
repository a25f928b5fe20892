import type {
  listSlotsOperation,
  readRhythmOperation,
  setRhythmOperation,
} from '../../../rhythm/operations.ts';
import type { Rhythm } from '../../../rhythm/schemas.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ComboBox } from '../../components/combo-box.tsx';
import { Form } from '../../components/form.tsx';
import { Muted, Row } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { TimeField } from '../../components/time-field.tsx';
import { toast } from '../../components/toast-list.ts';
import { useFormDraft } from '../../unfinished/use-form-draft.ts';
import { locale, words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { listZones } from '../../zones.ts';
import classes from './account-page.module.css';
import { ReadFailure } from './read-failure.tsx';
import { draftOf, hoursOf, isSame, isWholeIn, type RhythmDraft, ranges, rhythmOf } from './rhythm-draft.ts';

const texts = words.accountsPage.rhythm;

const wanted = 10;

/** The rhythm of posts that are scheduled for the next free slot, and these slots. */
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
      <Muted>{texts.slotsLead}</Muted>
      {read.isPending && <Skeleton kind="text" rows={6} />}
      {!slots && <ReadFailure read={read} />}
      {slots?.length === 0 && <p>{texts.noSlots}</p>}
      {slots !== undefined && slots.length > 0 && (
        <ol className={classes.slotTimes}>
          {slots.map(({ at }) => (
            <li key={at}>
              <Time at={at} />
            </li>
          ))}
        </ol>
      )}
      {slots !== undefined && slots.length > 0 && slots.length < wanted && <Muted>{texts.fewSlots}</Muted>}
    </section>
  );
}

interface RhythmFormProps {
  accountId: string;
  saved: Rhythm;
}

const path = '/v1/accounts/{id}/rhythm';
const changed = [path, '/v1/accounts/{id}/slots'];

/** Changes the rhythm. What is read again meanwhile never replaces what is typed, and looking at another page does not either. */
function RhythmForm({ accountId, saved }: RhythmFormProps) {
  const { timezone: workspaceZone } = useWorkspace();
  const present = draftOf(saved);
  /** The typed rhythm, and the one that was saved when typing began. */
  const [edit, setEdit] = useFormDraft<{ draft: RhythmDraft; base: RhythmDraft }>(`rhythm ${accountId}`);
  const draft = edit?.draft ?? present;
  const isChanged = edit !== undefined && !isSame(draft, present);
  const change = (changes: Partial<RhythmDraft>) =>
    setEdit({ draft: { ...draft, ...changes }, base: edit?.base ?? present });
  const save = useSend<typeof setRhythmOperation>('PUT', path, changed);
  const submit = () =>
    save.mutateAsync({ path: { id: accountId }, body: rhythmOf(draft) }).then(
      // Also if the person has gone on to another page: then the draft must not come back.
      () => {
        setEdit(undefined);
        toast({ text: texts.saved });
      },
      // The form shows `save.error`.
      () => undefined,
    );
  const discard = () => {
    setEdit(undefined);
    save.reset();
  };
  return (
    <Form onSubmit={submit} error={save.error} errorTitle={texts.notSaved}>
      <div className={classes.fields}>
        <div className={classes.window}>
          <TimeField
            name="dayWindow.from"
            label={texts.from}
            value={draft.from}
            onChange={(from) => change({ from })}
            isRequired
          />
          <TimeField
            name="dayWindow.to"
            label={texts.to}
            value={draft.to}
            onChange={(to) => change({ to })}
            isRequired
          />
          <WindowNote draft={draft} />
        </div>
        <NumberField name="dailyCap" label={texts.dailyCap} draft={draft} onChange={change} />
        <NumberField name="gapMinutes" label={texts.gapMinutes} draft={draft} onChange={change} isMinutes />
        <NumberField
          name="collisionBufferMinutes"
          label={texts.collisionBufferMinutes}
          help={texts.collisionHelp}
          draft={draft}
          onChange={change}
          isMinutes
        />
        <div className={classes.zone}>
          <ComboBox
            name="timezone"
            label={texts.timezone}
            choices={listZones(saved.timezone, workspaceZone)}
            value={draft.timezone}
            onChange={(key) => key !== null && change({ timezone: String(key) })}
            isRequired
          />
          {draft.timezone !== workspaceZone && (
            <Button size="small" onPress={() => change({ timezone: workspaceZone })}>
              {texts.takeWorkspaceZone(workspaceZone)}
            </Button>
          )}
        </div>
      </div>
      {isChanged && !isSame(edit.base, present) && (
        <Notice tone="warn" isLive>
          {texts.changed}
        </Notice>
      )}
      <Row>
        <Button type="submit" variant={isChanged ? 'primary' : 'secondary'} isPending={save.isPending}>
          {texts.save}
        </Button>
        {isChanged && (
          <Button onPress={discard} isDisabled={save.isPending}>
            {texts.discard}
          </Button>
        )}
        {isChanged && <Muted as="span">{texts.slotsAfterSaving}</Muted>}
      </Row>
    </Form>
  );
}

function WindowNote({ draft: { from, to } }: { draft: RhythmDraft }) {
  if (from === '' || to === '' || from < to) return null;
  return (
    <p className={classes.windowNote} role="status">
      {from === to ? texts.toWholeDay : texts.toMidnight}
    </p>
  );
}

interface NumberFieldProps {
  name: keyof typeof ranges;
  label: string;
  help?: string;
  draft: RhythmDraft;
  onChange: (changes: Partial<RhythmDraft>) => void;
  isMinutes?: boolean;
}

function NumberField({ name, label, help, draft, onChange, isMinutes }: NumberFieldProps) {
  const numbers = new Intl.NumberFormat(locale);
  const range = ranges[name];
  const hours = isMinutes ? hoursOf(draft[name]) : undefined;
  const inHours = hours === undefined ? undefined : texts.isHours(numbers.format(hours));
  return (
    <TextField
      name={name}
      label={label}
      help={[inHours, help].filter(Boolean).join(' ')}
      value={draft[name]}
      onChange={(value) => onChange({ [name]: value })}
      inputMode="numeric"
      autoComplete="off"
      isRequired
      validate={(value) =>
        isWholeIn(value, range) ? null : texts.wholeNumber(numbers.format(range[0]), numbers.format(range[1]))
      }
    />
  );
}
