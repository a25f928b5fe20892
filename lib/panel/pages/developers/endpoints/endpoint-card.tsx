import { useState } from 'react';
import type { testWebhookOperation } from '../../../../webhooks/deliveries/operations.ts';
import type { editWebhookOperation } from '../../../../webhooks/endpoints/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button, buttonClasses } from '../../../components/button.tsx';
import { ErrorNotice, sentence } from '../../../components/error-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Badge, Status } from '../../../components/status.tsx';
import { Time } from '../../../components/time.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { AccountNames, useAccountNames } from '../account-names.tsx';
import { type Delivery, deliveryPaths } from '../deliveries/delivery.ts';
import { deliveriesHref } from '../deliveries/delivery-href.ts';
import common from '../developers.module.css';
import { EndpointUrl } from '../endpoint-url.tsx';
import { type Endpoint, endpointPaths } from './endpoint.ts';
import { EndpointMenu, type EndpointMenuProps } from './endpoint-menu.tsx';
import classes from './endpoints.module.css';
import { TestResult } from './test-result.tsx';

const tones = { active: 'good', failing: 'bad', disabled: 'neutral' } as const;
const icons = { active: 'check', failing: 'alert', disabled: 'pause' } as const;

/** An endpoint: whether it works, what it receives, and what can be done with it. */
export function EndpointCard({ endpoint, ...menu }: EndpointMenuProps) {
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
        <div className={common.lines}>
          <h2 className={classes.cardTitle}>
            <EndpointUrl url={url} />
          </h2>
          {description !== null && (
            <p className={common.note}>
              <bdi>{description}</bdi>
            </p>
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

/** How the service begins the reason why it has paused an endpoint. Other messages are about the last attempt. */
const byService = 'disabled: ';

/** Why it fails, or why Herald has paused it. */
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
    <dl className={classes.facts}>
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
              {others > 0 && <span className={common.note}>{words.endpointsTab.eventsMore(others)}</span>}
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
