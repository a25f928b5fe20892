import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { editWorkspaceOperation } from '../../../../workspaces/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { ComboBox } from '../../../components/combo-box.tsx';
import { Form } from '../../../components/form.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { toast } from '../../../components/toast-list.ts';
import { useFormDraft } from '../../../unfinished/use-form-draft.ts';
import { words } from '../../../words/words.ts';
import { clockIn, listZones } from '../../../zones.ts';
import classes from '../settings.module.css';
import type { WorkspaceReply } from './workspace-reply.ts';

const texts = words.settingsPage.workspace;

interface Draft {
  name?: string;
  timezone?: string | null;
}

/**
 * Changes name and time zone. What the person has not touched follows the workspace, also if somebody else changes it. What they have
 * touched stays until it is saved or undone, also while they look at another page.
 */
export function WorkspaceForm({ workspace }: { workspace: WorkspaceReply }) {
  const [draft = {}, setDraft] = useFormDraft<Draft>(`workspace ${workspace.id}`);
  const queries = useQueryClient();
  const edit = useSend<typeof editWorkspaceOperation>('PATCH', '/v1/workspace', ['/v1/workspace']);
  const { name = workspace.name, timezone = workspace.timezone } = draft;
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
      <div className={classes.buttons}>
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
      </div>
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
