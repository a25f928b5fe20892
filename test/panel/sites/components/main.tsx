/** A page with the panel's components, for their tests: a form that issues a key, and a long table. */
import '../../../../lib/panel/styles/tokens.css';
import '../../../../lib/panel/styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { useSend } from '../../../../lib/panel/api/hooks.ts';
import { newQueryClient } from '../../../../lib/panel/api/query-client.ts';
import { type Me, session } from '../../../../lib/panel/api/session.ts';
import { workspaceChoice } from '../../../../lib/panel/api/workspace-choice.ts';
import { Button } from '../../../../lib/panel/components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../../lib/panel/components/checkbox.tsx';
import { CodeBlock } from '../../../../lib/panel/components/code-block.tsx';
import { ComboBox } from '../../../../lib/panel/components/combo-box.tsx';
import { ConfirmDialog } from '../../../../lib/panel/components/confirm-dialog.tsx';
import { CopyField } from '../../../../lib/panel/components/copy-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../../lib/panel/components/dialog.tsx';
import { EmptyState } from '../../../../lib/panel/components/empty-state.tsx';
import { ErrorState } from '../../../../lib/panel/components/error-state.tsx';
import { Form } from '../../../../lib/panel/components/form.tsx';
import { IconButton } from '../../../../lib/panel/components/icon-button.tsx';
import { Menu } from '../../../../lib/panel/components/menu.tsx';
import { Notice } from '../../../../lib/panel/components/notice.tsx';
import { Radio, RadioGroup } from '../../../../lib/panel/components/radio-group.tsx';
import { SearchField } from '../../../../lib/panel/components/search-field.tsx';
import { Section } from '../../../../lib/panel/components/section.tsx';
import { Select } from '../../../../lib/panel/components/select.tsx';
import { Status } from '../../../../lib/panel/components/status.tsx';
import { Switch } from '../../../../lib/panel/components/switch.tsx';
import { Table } from '../../../../lib/panel/components/table.tsx';
import { TextArea } from '../../../../lib/panel/components/text-area.tsx';
import { TextField } from '../../../../lib/panel/components/text-field.tsx';
import { Time } from '../../../../lib/panel/components/time.tsx';
import ToastRegion from '../../../../lib/panel/components/toast.tsx';
import { toast } from '../../../../lib/panel/components/toast-list.ts';
import { Tooltip } from '../../../../lib/panel/components/tooltip.tsx';
import { SessionDialog } from '../../../../lib/panel/shell/session-dialog.tsx';
import { PlaceProvider } from '../../../../lib/panel/workspace.tsx';
import type { createKeyOperation } from '../../../../lib/people/operations.ts';

const rowCount = Number(new URLSearchParams(location.search).get('rows') ?? 3);
/** The names need one to five lines. */
const rows = Array.from({ length: rowCount }, (_, number) => ({
  id: String(number),
  name: `Key ${number}${' with a name of many words'.repeat((number * 7) % 5)}`,
}));
const zones = ['Europe/Berlin', 'Europe/London', 'Asia/Tokyo'].map((id) => ({ id, name: id }));

function KeyForm({ onDone }: { readonly onDone: (key: string) => void }) {
  const [name, setName] = useState('');
  const create = useSend<typeof createKeyOperation>('POST', '/panel/keys', ['/panel/keys']);
  const submit = () => create.mutate({ body: { name } }, { onSuccess: ({ apiKey }) => onDone(apiKey) });
  return (
    <Form onSubmit={submit} error={create.error} errorTitle="The key was not created">
      <TextField name="name" label="Name" value={name} onChange={setName} help="What uses it." />
      <CheckboxGroup name="accountIds" label="Accounts">
        <Checkbox value="a">Instagram</Checkbox>
        <Checkbox value="b">LinkedIn</Checkbox>
      </CheckboxGroup>
      <Button type="submit" variant="primary" isPending={create.isPending}>
        Create key
      </Button>
    </Form>
  );
}

function Gallery() {
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string>();
  return (
    <main>
      <h1>Components</h1>
      <Section title="Keys" isCard actions={<Button onPress={() => setOpen(true)}>New key</Button>}>
        <Table
          label="Keys"
          rows={rows}
          idOf={({ id }) => id}
          columns={[
            { id: 'name', title: 'Name', isRowHeader: true, cell: ({ name: text }) => text },
            { id: 'state', title: 'State', cell: () => <Status tone="good">Active</Status> },
            { id: 'created', title: 'Created', cell: () => <Time at="2026-03-02T23:30:00Z" /> },
            {
              id: 'actions',
              title: 'Actions',
              isTitleHidden: true,
              width: '2.5rem',
              cell: ({ id, name: text }) => (
                <Menu
                  label={`Actions for ${text}`}
                  trigger={<IconButton icon="dots" label={`Actions for ${text}`} />}
                  actions={[
                    { id: `revoke-${id}`, name: 'Revoke key', isDangerous: true, run: () => setAsking(true) },
                  ]}
                />
              ),
            },
          ]}
        />
      </Section>
      <Section title="Fields" isCard>
        <TextArea label="Text" />
        <Select label="Time zone" choices={zones} />
        <ComboBox label="Other time zone" choices={zones} />
        <RadioGroup label="Role" defaultValue="member">
          <Radio value="member">Member</Radio>
          <Radio value="owner" note="Also keys">
            Owner
          </Radio>
        </RadioGroup>
        <Switch>Active</Switch>
        <SearchField label="Search keys" />
        <CopyField label="Your new key" value={key ?? 'none'} copyLabel="Copy key" help="It is shown once." />
        <CodeBlock label="curl" code="curl https://api.test/v1/accounts" copyLabel="Copy command" />
        <Tooltip text="Refresh">
          <IconButton icon="refresh" label="Refresh" />
        </Tooltip>
        <Button
          onPress={() => toast({ text: 'Moved', action: { label: 'Undo', run: () => setKey('undone') } })}
        >
          Move
        </Button>
      </Section>
      <Notice tone="warn" title="Access ends soon">
        Connect the account again.
      </Notice>
      <EmptyState icon="key" title="No keys yet" />
      <ErrorState error={new Error('it broke')} onRetry={() => setKey('tried')} />
      <Dialog title="New key" isOpen={isOpen} onClose={() => setOpen(false)}>
        <DialogBody>
          <KeyForm
            onDone={(apiKey) => {
              setKey(apiKey);
              setOpen(false);
            }}
          />
        </DialogBody>
        <DialogActions>
          <Button onPress={() => setOpen(false)}>Cancel</Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        title="Revoke the key?"
        action="Revoke"
        isOpen={isAsking}
        isPending={false}
        error={null}
        onConfirm={() => {
          setKey('revoked');
          setAsking(false);
        }}
        onClose={() => setAsking(false)}
      >
        <p>Programs that use it stop working.</p>
      </ConfirmDialog>
    </main>
  );
}

const me = (await (await fetch('/api/panel/me')).json()) as Me;
const [workspace] = me.workspaces;
const place = document.getElementById('panel');
if (place && workspace) {
  session.begin(me);
  workspaceChoice.choose(workspace.id);
  createRoot(place).render(
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={newQueryClient()}>
        <PlaceProvider value={{ me, workspace }}>
          <Gallery />
          <ToastRegion />
          <SessionDialog />
        </PlaceProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );
}
