import { useEffect, useState } from 'react';
import type { testWebhookOperation } from '../../../webhooks/deliveries/operations.ts';
import type { editWebhookOperation } from '../../../webhooks/endpoints/operations.ts';
import { useRefresh, useSend } from '../../api/hooks.ts';
import { Button, buttonClasses } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CurlDialog } from '../../components/curl-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Menu } from '../../components/menu.tsx';
import type { MenuAction } from '../../components/menu-action.ts';
import { Notice } from '../../components/notice.tsx';
import { Reading } from '../../components/reading.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { useCurl } from '../../curl.ts';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import {
  AttemptResult,
  type Delivery,
  deliveriesHref,
  deliveryHref,
  deliveryPaths,
  useDelivery,
} from './delivery.tsx';
import classes from './developers.module.css';
import { type Endpoint, endpointPaths, useEndpoints } from './endpoint.ts';
import {
  DeleteEndpointDialog,
  EditEndpointDialog,
  NewEndpointDialog,
  PauseEndpointDialog,
  RotateSecretDialog,
} from './endpoint-dialogs.tsx';
import { AccountNames, EndpointUrl, useAccountNames } from './parts.tsx';
import { RedeliverDialog } from './redeliver-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

type Open = { action: EndpointAction; endpoint: Endpoint } | 'new' | undefined;

/** The endpoints that receive the workspace's events. */
export default function EndpointsTab() {
  const endpoints = useEndpoints();
  const [open, setOpen] = useState<Open>();
  const create = () => setOpen('new');
  useCommands([{ name: words.endpointsTab.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  const isFull = (endpoints.data?.webhooks.length ?? 0) >= words.endpointsTab.most;
  return (
    <Stack gap={5}>
      <Row as="header" gap={6} align="start" isSpread>
        <p className={classes.lead}>
          {words.endpointsTab.lead}
          {isFull && ` ${words.endpointsTab.full(words.endpointsTab.most)}`}
        </p>
        <Button variant="primary" icon="plus" onPress={create} isDisabled={isFull}>
          {words.endpointsTab.create}
        </Button>
      </Row>
      <Endpoints endpoints={endpoints} onOpen={(action, endpoint) => setOpen({ action, endpoint })} />
      <OpenDialog open={open} onClose={() => setOpen(undefined)} />
    </Stack>
  );
}

interface EndpointsProps {
  endpoints: ReturnType<typeof useEndpoints>;
  onOpen: (action: EndpointAction, endpoint: Endpoint) => void;
}

function Endpoints({ endpoints, onOpen }: EndpointsProps) {
  const curl = useCurl();
  const { data } = endpoints;
  if (data === undefined) return <Reading of={endpoints} waiting={<Skeleton kind="card" rows={2} />} />;
  if (data.webhooks.length === 0) {
    const command = curl({
      method: 'POST',
      path: '/v1/webhooks',
      body: { url: words.endpointsTab.empty.example, events: ['*'] },
    });
    return (
      <>
        <EmptyState icon="webhook" title={words.endpointsTab.empty.title}>
          <p>{words.endpointsTab.empty.text}</p>
        </EmptyState>
        <CodeBlock
          label={words.developersPage.curl.label}
          code={command}
          copyLabel={words.developersPage.curl.copy}
        />
      </>
    );
  }
  return (
    <Stack as="ul" aria-label={words.endpointsTab.label}>
      {data.webhooks.map((endpoint) => (
        <EndpointCard key={endpoint.id} endpoint={endpoint} onOpen={onOpen} />
      ))}
    </Stack>
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const curl = useCurl();
  if (open === undefined) return null;
  if (open === 'new') return <NewEndpointDialog onClose={onClose} />;
  const { action, endpoint } = open;
  switch (action) {
    case 'edit':
      return <EditEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'pause':
      return <PauseEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'rotate':
      return <RotateSecretDialog endpoint={endpoint} onClose={onClose} />;
    case 'redeliver':
      return <RedeliverDialog endpoint={endpoint} onClose={onClose} />;
    case 'replay':
      return <ReplayDialog endpoint={endpoint} onClose={onClose} />;
    case 'delete':
      return <DeleteEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'curl':
      return (
        <CurlDialog
          command={curl({ method: 'POST', path: `/v1/webhooks/${endpoint.id}/test` })}
          onClose={onClose}
        />
      );
  }
}

const tones = { active: 'good', failing: 'bad', disabled: 'neutral' } as const;
const icons = { active: 'check', failing: 'alert', disabled: 'pause' } as const;

/** An endpoint: whether it works, what it receives, and what can be done with it. */
function EndpointCard({ endpoint, ...menu }: EndpointMenuProps) {
  const { id, url, description, status, isActive } = endpoint;
  const [sent, setSent] = useState<Delivery>();
  const test = useSend<typeof testWebhookOperation>('POST', '/v1/webhooks/{id}/test', deliveryPaths);
  const edit = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const activate = () =>
    edit.mutate(
      { path: { id }, body: { isActive: true } },
      { onSuccess: () => toast({ text: words.endpointsTab.activated }) },
    );
  const sendTest = () => test.mutate({ path: { id } }, { onSuccess: ({ delivery }) => setSent(delivery) });
  return (
    <li className={classes.card}>
      <header className={classes.cardHead}>
        <div className={classes.lines}>
          <h2 className={classes.cardTitle}>
            <EndpointUrl url={url} />
          </h2>
          {description !== null && (
            <Muted>
              <bdi>{description}</bdi>
            </Muted>
          )}
        </div>
        <Status tone={tones[status]} icon={icons[status]}>
          {words.endpointsTab.statuses[status]}
        </Status>
      </header>
      <Trouble endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      {test.error && <ErrorNotice error={test.error} title={words.endpointsTab.tested.notSent} />}
      {edit.error && <ErrorNotice error={edit.error} title={words.endpointsTab.notActivated} />}
      {sent && <TestResult key={sent.id} url={url} sent={sent} onDismiss={() => setSent(undefined)} />}
      <footer className={classes.cardActions}>
        {isActive ? (
          <Button size="small" icon="arrow" isPending={test.isPending} onPress={sendTest}>
            {words.endpointsTab.test}
          </Button>
        ) : (
          <Button size="small" icon="play" isPending={edit.isPending} onPress={activate}>
            {words.endpointsTab.activate}
          </Button>
        )}
        <a className={buttonClasses({ size: 'small', variant: 'quiet' })} href={deliveriesHref(id)}>
          {words.endpointsTab.deliveries}
        </a>
        <EndpointMenu endpoint={endpoint} {...menu} />
      </footer>
    </li>
  );
}

/** The beginning of the service's reasons for a pause. Other messages are about the last attempt. */
const byService = 'disabled: ';

/** Says why it fails, or why Herald has paused it. */
function Trouble({ endpoint: { status, statusMessage } }: { endpoint: Endpoint }) {
  if (statusMessage === null || status === 'active') return null;
  const isByService = status === 'disabled' && statusMessage.startsWith(byService);
  return (
    <Notice
      tone={status === 'failing' ? 'bad' : 'warn'}
      title={isByService ? words.endpointsTab.endedByService : words.endpointsTab.lastFailure}
    >
      <p className={classes.wrapped}>
        {sentence(isByService ? statusMessage.slice(byService.length) : statusMessage)}
      </p>
    </Notice>
  );
}

const shownEvents = 4;

function EndpointFacts({ endpoint: { events, accountIds, createdAt } }: { endpoint: Endpoint }) {
  const accountNames = useAccountNames();
  const isAll = events.includes('*');
  const others = events.length - shownEvents;
  return (
    <dl className={classes.cardFacts}>
      <div>
        <dt>{words.endpointsTab.events}</dt>
        <dd className={classes.badges}>
          {isAll ? (
            words.endpointsTab.allEvents
          ) : (
            <>
              {events.slice(0, shownEvents).map((event) => (
                <Badge key={event}>{event}</Badge>
              ))}
              {others > 0 && <Muted as="span">{words.endpointsTab.eventsMore(others)}</Muted>}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{words.endpointsTab.accounts}</dt>
        <dd>
          <AccountNames ids={accountIds} names={accountNames} />
        </dd>
      </div>
      <div>
        <dt>{words.endpointsTab.created}</dt>
        <dd>
          <Time at={createdAt} format="date" />
        </dd>
      </div>
    </dl>
  );
}

/** The actions on an endpoint, each with a dialog. */
type EndpointAction = 'edit' | 'pause' | 'rotate' | 'redeliver' | 'replay' | 'curl' | 'delete';

interface EndpointMenuProps {
  endpoint: Endpoint;
  onOpen: (action: EndpointAction, endpoint: Endpoint) => void;
}

function EndpointMenu({ endpoint, onOpen }: EndpointMenuProps) {
  const { url, isActive } = endpoint;
  const open = (action: EndpointAction) => () => onOpen(action, endpoint);
  const actions: MenuAction[] = [
    { id: 'edit', name: words.endpointsTab.edit, icon: 'pencil', run: open('edit') },
    { id: 'curl', name: words.developersPage.curl.copyAction, icon: 'developers', run: open('curl') },
    { id: 'rotate', name: words.endpointsTab.rotate, icon: 'key', run: open('rotate') },
    ...(isActive
      ? ([
          { id: 'redeliver', name: words.endpointsTab.redeliver, icon: 'refresh', run: open('redeliver') },
          { id: 'replay', name: words.endpointsTab.replay.action, icon: 'play', run: open('replay') },
          { id: 'pause', name: words.endpointsTab.pause, icon: 'pause', run: open('pause') },
        ] as const)
      : []),
    { id: 'delete', name: words.endpointsTab.delete, icon: 'trash', isDangerous: true, run: open('delete') },
  ];
  return (
    <Menu
      trigger={<IconButton icon="dots" label={words.endpointsTab.menu(url)} size="small" />}
      label={words.endpointsTab.menu(url)}
      actions={actions}
    />
  );
}

interface TestResultProps {
  url: string;
  sent: Delivery;
  onDismiss: () => void;
}

/** Follows a test event until it has arrived or failed. */
function TestResult({ url, sent, onDismiss }: TestResultProps) {
  const { delivery = sent } = useDelivery(sent.webhookId, sent.id, sent);
  const refresh = useRefresh(endpointPaths);
  const number = delivery.attempts.length;
  useEffect(() => {
    // The first attempt may change whether the endpoint is failing.
    if (number > 0) refresh();
  }, [number, refresh]);
  return (
    <section aria-label={words.endpointsTab.tested.region(url)} aria-live="polite">
      <Result delivery={delivery} onDismiss={onDismiss} />
    </section>
  );
}

interface ResultProps {
  delivery: Delivery;
  onDismiss: () => void;
}

function Result({ delivery, onDismiss }: ResultProps) {
  const { status, nextAttemptAt, attempts } = delivery;
  const attempt = attempts.at(-1);
  const texts = words.endpointsTab.tested;
  if (attempt === undefined)
    return (
      <p className={classes.sending}>
        <Spinner /> {texts.sending}
      </p>
    );
  const isDelivered = status === 'delivered';
  return (
    <Notice
      tone={isDelivered ? 'good' : 'bad'}
      title={isDelivered ? texts.delivered : status === 'failed' ? texts.ended : texts.failed}
      actions={
        <span className={classes.resultActions}>
          <a href={deliveryHref(delivery)}>{texts.open}</a>
          <IconButton icon="cross" size="small" label={texts.dismiss} onPress={onDismiss} />
        </span>
      }
    >
      <p className={classes.lines}>
        <AttemptResult attempt={attempt} count={attempts.length} />
      </p>
      {status === 'pending' && nextAttemptAt !== null && (
        <p>
          {texts.nextAt} <Time at={nextAttemptAt} />
        </p>
      )}
      {attempt.responseStart && <pre className={classes.response}>{attempt.responseStart}</pre>}
    </Notice>
  );
}
