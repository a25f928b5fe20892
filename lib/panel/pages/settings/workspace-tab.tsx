import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { editWorkspaceOperation, readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { formatBytes } from '../../bytes.ts';
import { Button } from '../../components/button.tsx';
import { ComboBox } from '../../components/combo-box.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopiedCode } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Facts, Muted, Row, Stack } from '../../components/layout.tsx';
import { Link } from '../../components/link.tsx';
import { Meter } from '../../components/meter.tsx';
import { Notice } from '../../components/notice.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Switch } from '../../components/switch.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { useFormDraft } from '../../unfinished/use-form-draft.ts';
import { locale, words } from '../../words/words.ts';
import { useIsOwner } from '../../workspace.tsx';
import { clockIn, listZones, zoneTitle } from '../../zones.ts';
import classes from './settings.module.css';

const texts = words.settingsPage.workspace;

const numbers = new Intl.NumberFormat(locale);

/** Name, time zone and the event feed, which owners change; storage; numbers; the id. */
export default function WorkspaceTab() {
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace');
  return (
    <Reading of={workspace}>
      {({ workspace }) => (
        <Stack gap={6} className={classes.narrow}>
          <General workspace={workspace} />
          <Section title={texts.storage} isCard>
            <Storage {...workspace.storage} usedBytes={workspace.storage.usedBytes ?? 0} />
          </Section>
          <Section title={texts.feed} isCard>
            <EventFeed workspace={workspace} />
          </Section>
          <Section title={texts.facts} isCard>
            <Numbers workspace={workspace} />
          </Section>
        </Stack>
      )}
    </Reading>
  );
}

interface PartProps {
  workspace: WorkspaceReply;
}

function General({ workspace }: PartProps) {
  const isOwner = useIsOwner();
  return (
    <Section title={texts.general} lead={isOwner ? undefined : texts.ownersEdit} isCard>
      {isOwner ? (
        <WorkspaceForm workspace={workspace} />
      ) : (
        <Facts
          isRuled
          of={{
            [texts.name]: <bdi>{workspace.name}</bdi>,
            [texts.timezone]: <ZoneText id={workspace.timezone} />,
          }}
        />
      )}
    </Section>
  );
}

function ZoneText({ id }: { id: string }) {
  const { time, offset } = clockIn(id, new Date());
  return (
    <>
      {zoneTitle(id)}{' '}
      <Muted as="span" size="m">
        ({texts.zoneNote(time, offset)})
      </Muted>
    </>
  );
}

/** The switch of the event feed, for owners, and the time since which it records. */
function EventFeed({ workspace: { eventFeed, eventFeedSince } }: PartProps) {
  const isOwner = useIsOwner();
  const [isAsking, setIsAsking] = useState(false);
  const edit = useSend<typeof editWorkspaceOperation>('PATCH', '/v1/workspace', ['/v1/workspace']);
  return (
    <Stack gap={3}>
      <Switch
        isSelected={eventFeed}
        isDisabled={!isOwner || edit.isPending}
        onChange={(isOn) => (isOn ? edit.mutate({ body: { eventFeed: true } }) : setIsAsking(true))}
        note={texts.feedNote}
      >
        {texts.feedOn}
      </Switch>
      {eventFeedSince !== null && (
        <Muted>
          {texts.feedSince} <Time at={eventFeedSince} />
        </Muted>
      )}
      {edit.error && !isAsking && <ErrorNotice error={edit.error} title={texts.feedNotChanged} />}
      <ConfirmDialog
        title={texts.feedOff.title}
        action={texts.feedOff.submit}
        isOpen={isAsking}
        isPending={edit.isPending}
        error={edit.error}
        onConfirm={() => edit.mutate({ body: { eventFeed: false } }, { onSuccess: () => setIsAsking(false) })}
        onClose={() => setIsAsking(false)}
      >
        <p>{texts.feedOff.text}</p>
      </ConfirmDialog>
    </Stack>
  );
}

function Numbers({ workspace: { id, createdAt, counts } }: PartProps) {
  const isOwner = useIsOwner();
  const forOwners = (to: string, number: ReactNode) => (isOwner ? <Link to={to}>{number}</Link> : number);
  return (
    <Facts
      isRuled
      of={{
        [texts.accounts]: <Link to="/accounts">{numbers.format(counts.accounts)}</Link>,
        [texts.webhooks]: forOwners('/developers/endpoints', numbers.format(counts.webhooks)),
        [texts.keys]: forOwners('/developers', numbers.format(counts.keys)),
        [texts.created]: <Time at={createdAt} />,
        [texts.id]: <CopiedCode text={id} label={texts.copyId} />,
      }}
    />
  );
}

interface Draft {
  name?: string;
  timezone?: string | null;
}

/**
 * Changes name and time zone. What the person has not touched follows the workspace, also if somebody else changes it. What they have
 * touched stays until it is saved or undone, also while they look at another page.
 */
function WorkspaceForm({ workspace }: { workspace: WorkspaceReply }) {
  const [draft, setDraft] = useFormDraft<Draft>(`workspace ${workspace.id}`);
  const queries = useQueryClient();
  const edit = useSend<typeof editWorkspaceOperation>('PATCH', '/v1/workspace', ['/v1/workspace']);
  const { name = workspace.name, timezone = workspace.timezone } = draft ?? {};
  const changes = {
    ...(name.trim() !== workspace.name && { name }),
    ...(timezone !== null && timezone !== workspace.timezone && { timezone }),
  };
  const isChanged = Object.keys(changes).length > 0 || timezone === null;
  const save = () => {
    if (!isChanged || timezone === null) return;
    edit.mutateAsync({ body: changes }).then(
      // Also if the person has gone on to another page: then the draft must not come back.
      () => {
        setDraft(undefined);
        toast({ text: texts.saved });
        // All times and the navigation follow name and zone.
        void queries.invalidateQueries({ queryKey: ['me'] });
      },
      // The form shows `edit.error`.
      () => undefined,
    );
  };
  return (
    <Form onSubmit={save} error={edit.error} errorTitle={texts.notSaved}>
      <TextField
        name="name"
        label={texts.name}
        help={texts.nameHelp}
        value={name}
        onChange={(name) => setDraft({ ...draft, name })}
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <ZoneField
        present={workspace.timezone}
        value={timezone}
        onChange={(timezone) => setDraft({ ...draft, timezone })}
      />
      <Row>
        <Button type="submit" variant="primary" isPending={edit.isPending} isDisabled={!isChanged}>
          {texts.save}
        </Button>
        {isChanged && !edit.isPending && (
          <Button
            variant="quiet"
            onPress={() => {
              setDraft(undefined);
              edit.reset();
            }}
          >
            {texts.undo}
          </Button>
        )}
      </Row>
    </Form>
  );
}

interface ZoneFieldProps {
  present: string;
  value: string | null;
  onChange: (id: string | null) => void;
}

function ZoneField({ present, value, onChange }: ZoneFieldProps) {
  const [openedAt, setOpenedAt] = useState<Date>();
  const zones = listZones(present);
  // Reading all clocks takes a tenth of a second, so it waits until somebody looks.
  const choices =
    openedAt === undefined
      ? zones
      : zones.map((zone) => {
          const { time, offset } = clockIn(zone.id, openedAt);
          return { ...zone, note: texts.zoneNote(time, offset) };
        });
  const now = value === null ? undefined : clockIn(value, new Date());
  return (
    <ComboBox
      name="timezone"
      label={texts.timezone}
      help={now ? texts.timezoneHelp(now.time, now.offset) : texts.timezoneHelpNone}
      placeholder={texts.zonePlaceholder}
      choices={choices}
      value={value}
      onChange={(key) => onChange(key === null ? null : String(key))}
      onOpenChange={(isOpen) => {
        if (isOpen) setOpenedAt(new Date());
      }}
      isRequired
    />
  );
}

type WorkspaceReply = ReplyOf<typeof readWorkspaceOperation>['workspace'];

/** The share from which on it is time to make space. */
const nearFull = 0.9;

interface StorageProps {
  usedBytes: number;
  quotaBytes: number;
}

/** The used share of the quota: as a bar, and in numbers. It may be more than all, if files turned out larger than declared. */
function Storage({ usedBytes, quotaBytes }: StorageProps) {
  const id = useId();
  const share = quotaBytes > 0 ? usedBytes / quotaBytes : 1;
  const used = texts.storageUsed(formatBytes(usedBytes), formatBytes(quotaBytes));
  const rest =
    usedBytes <= quotaBytes
      ? texts.storageLeft(formatBytes(quotaBytes - usedBytes))
      : texts.storageOver(formatBytes(usedBytes - quotaBytes));
  return (
    <Stack gap={3}>
      <p id={id} className={classes.numbers}>
        <span>{used}</span>
        <span className={classes.rest}>{rest}</span>
      </p>
      <Meter
        share={share}
        labelledBy={id}
        text={`${used}, ${rest}`}
        tone={share >= 1 ? 'bad' : share >= nearFull ? 'warn' : 'normal'}
      />
      {share >= nearFull ? (
        <Notice
          tone={share >= 1 ? 'bad' : 'warn'}
          title={share >= 1 ? texts.storageFullTitle : texts.storageNearTitle}
        >
          {share >= 1 ? texts.storageFull : texts.storageNear} {texts.storageRemedy}{' '}
          <Link to="/media">{texts.storageFiles}</Link>
        </Notice>
      ) : (
        <p className={classes.help}>{texts.storageHelp}</p>
      )}
    </Stack>
  );
}
