import { useState } from 'react';
import type {
  createWebhookOperation,
  editWebhookOperation,
  removeWebhookOperation,
  rotateSecretOperation,
} from '../../../webhooks/endpoints/operations.ts';
import { useSend, useSendForSecret } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DialogForm } from '../../components/form.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { TextField } from '../../components/text-field.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';
import {
  type Endpoint,
  type EventType,
  endpointPaths,
  type Subscription,
  verificationSnippet,
} from './endpoint.ts';
import { AccountChoice, AllOrSome, EndpointUrl, OnceShown } from './parts.tsx';

/** Asks where events go, then shows the signing secret once. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog
      title={secret === undefined ? texts.createTitle : words.endpointsTab.secret.createdTitle}
      isOpen
      size="medium"
      mustDecide={secret !== undefined}
      onClose={onClose}
    >
      {secret === undefined ? (
        <NewEndpointForm onCreated={setSecret} onClose={onClose} />
      ) : (
        <ShownSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface NewEndpointFormProps {
  onCreated: (secret: string) => void;
  onClose: () => void;
}

function NewEndpointForm({ onCreated, onClose }: NewEndpointFormProps) {
  const [draft, setDraft] = useState<EndpointDraft>({
    url: '',
    description: '',
    events: ['*'],
    accountIds: null,
  });
  const create = useSendForSecret<typeof createWebhookOperation>('POST', '/v1/webhooks', endpointPaths);
  const submit = () => {
    const body = { ...draft, url: draft.url.trim(), description: draft.description.trim() || null };
    create.mutate({ request: { body }, onReply: ({ webhook }) => onCreated(webhook.secret) });
  };
  return (
    <DialogForm
      submit={texts.create}
      sending={create}
      errorTitle={texts.createFailed}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </DialogForm>
  );
}

interface EditEndpointDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Changes where events go, and which. */
export function EditEndpointDialog({ endpoint, onClose }: EditEndpointDialogProps) {
  const { url, events, accountIds } = endpoint;
  const [draft, setDraft] = useState<EndpointDraft>({
    url,
    events,
    accountIds,
    description: endpoint.description ?? '',
  });
  const edit = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const submit = () => {
    const onSuccess = () => {
      toast({ text: texts.saved });
      onClose();
    };
    edit.mutate({ path: { id: endpoint.id }, body: changesOf(endpoint, draft) }, { onSuccess });
  };
  return (
    <Dialog title={texts.editTitle} isOpen size="medium" onClose={onClose}>
      <DialogForm
        submit={texts.save}
        sending={edit}
        errorTitle={texts.editFailed}
        onSubmit={submit}
        onClose={onClose}
      >
        <EndpointFields draft={draft} onChange={setDraft} />
      </DialogForm>
    </Dialog>
  );
}

/** Only what differs: what somebody else changes meanwhile stays, and so does an account that is disconnected by now. */
function changesOf(before: Endpoint, draft: EndpointDraft) {
  const after = { ...draft, url: draft.url.trim(), description: draft.description.trim() || null };
  const { url, description, events, accountIds } = after;
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(!isSame(events, before.events) && { events }),
    ...(!isSame(accountIds, before.accountIds) && { accountIds }),
  };
}

const isSame = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());

interface EndpointDraft extends Pick<Endpoint, 'url' | 'events' | 'accountIds'> {
  description: string;
}

interface EndpointFieldsProps {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
}

/** The fields of an endpoint, new or not. */
function EndpointFields({ draft, onChange }: EndpointFieldsProps) {
  const set = (changes: Partial<EndpointDraft>) => onChange({ ...draft, ...changes });
  return (
    <>
      <TextField
        label={texts.url}
        name="url"
        type="url"
        help={texts.urlHelp}
        placeholder={texts.urlPlaceholder}
        value={draft.url}
        onChange={(url) => set({ url })}
        maxLength={texts.mostUrl}
        validate={(value) => (value.trim() === '' ? texts.urlMissing : null)}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={texts.description}
        name="description"
        isOptional
        value={draft.description}
        onChange={(description) => set({ description })}
        maxLength={texts.mostDescription}
        autoComplete="off"
      />
      <EventChoice value={draft.events} onChange={(events) => set({ events: [...events] })} />
      <AccountChoice
        value={draft.accountIds}
        onChange={(ids) => set({ accountIds: ids && [...ids] })}
        most={texts.mostAccounts}
        help={texts.accountsHelp}
      />
    </>
  );
}

const texts = words.endpointsTab.form;
const eventTexts = words.endpointsTab.eventChoice;

/** `webhook.test` is sent whatever an endpoint lists, so it is no choice. */
const groups: readonly { name: string; types: readonly EventType[] }[] = [
  {
    name: eventTexts.groups.post,
    types: [
      'post.scheduled',
      'post.published',
      'post.partial',
      'post.failed',
      'post.target.published',
      'post.target.failed',
      'post.at_risk',
      'post.risk_cleared',
      'post.target.removed',
      'post.metrics',
    ],
  },
  {
    name: eventTexts.groups.account,
    types: [
      'account.connected',
      'account.expiring',
      'account.expired',
      'account.disconnected',
      'platform.version.ending',
    ],
  },
  { name: eventTexts.groups.inbox, types: ['comment.received', 'dm.received'] },
];

interface EventChoiceProps {
  value: readonly Subscription[];
  onChange: (value: readonly Subscription[]) => void;
}

/** All events, or some of them with what they mean. */
function EventChoice({ value, onChange }: EventChoiceProps) {
  const chosen = value.includes('*') ? null : value;
  return (
    <AllOrSome texts={eventTexts} value={chosen} usual={[]} onChange={(types) => onChange(types ?? ['*'])}>
      <CheckboxGroup
        label={eventTexts.choose}
        name="events"
        value={[...(chosen ?? [])]}
        onChange={(types) => onChange(types as Subscription[])}
        validate={(types) => (types.length === 0 ? eventTexts.atLeastOne : null)}
      >
        {groups.map(({ name, types }) => (
          <fieldset key={name} className={classes.group}>
            <legend>{name}</legend>
            {types.map((type) => (
              <Checkbox key={type} value={type} note={words.endpointsTab.descriptions[type]}>
                <code>{type}</code>
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </CheckboxGroup>
    </AllOrSome>
  );
}

interface EndpointDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Asks before an endpoint receives nothing for a while. */
export function PauseEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const { mutate, ...sending } = useSend<typeof editWebhookOperation>(
    'PATCH',
    '/v1/webhooks/{id}',
    endpointPaths,
  );
  const pause = (onSuccess: () => void) => mutate({ path: { id }, body: { isActive: false } }, { onSuccess });
  return (
    <Question url={url} texts={words.endpointsTab.pausing} send={pause} {...sending} onClose={onClose} />
  );
}

/** Asks before an endpoint ends. */
export function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const { mutate, ...sending } = useSend<typeof removeWebhookOperation>('DELETE', '/v1/webhooks/{id}', [
    ...endpointPaths,
    '/v1/deliveries',
  ]);
  const remove = (onSuccess: () => void) => mutate({ path: { id } }, { onSuccess });
  return (
    <Question url={url} texts={words.endpointsTab.deletion} send={remove} {...sending} onClose={onClose} />
  );
}

interface QuestionProps {
  url: string;
  texts: Readonly<Record<'title' | 'text' | 'submit' | 'done', string>>;
  send: (onSuccess: () => void) => void;
  isPending: boolean;
  error: Error | null;
  onClose: () => void;
}

function Question({ url, texts, send, isPending, error, onClose }: QuestionProps) {
  const done = () => {
    toast({ text: texts.done });
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => send(done)}
      onClose={onClose}
    >
      <EndpointUrl url={url} />
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}

interface RotateSecretDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Asks before an endpoint gets another secret, then shows it once. */
export function RotateSecretDialog({ endpoint: { id, url }, onClose }: RotateSecretDialogProps) {
  const [secret, setSecret] = useState<string>();
  const rotate = useSendForSecret<typeof rotateSecretOperation>(
    'POST',
    '/v1/webhooks/{id}/rotate-secret',
    endpointPaths,
  );
  const texts = words.endpointsTab.rotation;
  const confirm = () =>
    rotate.mutate({
      request: { path: { id } },
      onReply: ({ webhook }) => setSecret(webhook.secret),
    });
  const isShown = secret !== undefined;
  return (
    <Dialog
      title={isShown ? words.endpointsTab.secret.rotatedTitle : texts.title}
      isOpen
      size={isShown ? 'medium' : 'small'}
      mustDecide={isShown}
      onClose={onClose}
    >
      {isShown ? (
        <ShownSecret secret={secret} isRotated onClose={onClose} />
      ) : (
        <>
          <DialogBody>
            <EndpointUrl url={url} />
            <p>{texts.text}</p>
            <p>{texts.twice}</p>
            {rotate.error && <ErrorNotice error={rotate.error} title={texts.failed} />}
          </DialogBody>
          <DialogActions>
            <Button onPress={onClose} autoFocus>
              {words.shared.actions.cancel}
            </Button>
            <Button variant="primary" isPending={rotate.isPending} onPress={confirm}>
              {texts.submit}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface ShownSecretProps {
  secret: string;
  isRotated?: boolean;
  onClose: () => void;
}

/** Shows an endpoint's signing secret for the only time, and how to use it. */
function ShownSecret({ secret, isRotated = false, onClose }: ShownSecretProps) {
  const texts = words.endpointsTab.secret;
  return (
    <OnceShown title={texts.once} text={texts.onceText} confirm={texts.stored} onClose={onClose}>
      <CopyField label={texts.field} value={secret} copyLabel={texts.copy} />
      {isRotated && <p>{texts.both}</p>}
      <CodeBlock label={texts.verify} code={verificationSnippet} copyLabel={texts.copySnippet} />
      <p>
        <ExternalLink href="/docs">{texts.documentation}</ExternalLink>
      </p>
    </OnceShown>
  );
}
