import { lazy, Suspense, useState } from 'react';
import type { editWebhookOperation } from '../../../webhooks/endpoints/operations.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Status } from '../../components/status.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import { deliveriesHref } from '../developers/delivery.tsx';
import { type Endpoint, endpointPaths } from '../developers/endpoint.ts';
import { byService } from './concerns.ts';
import { Row } from './row.tsx';
import classes from './rows.module.css';

const texts = words.nowPage.endpoint;

const RedeliverDialog = lazy(async () => ({
  default: (await import('../developers/redeliver-dialog.tsx')).RedeliverDialog,
}));

/** An endpoint that does not receive its events. */
export function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, status, statusMessage } = endpoint;
  const [isSending, setSending] = useState(false);
  const edit = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const enable = () =>
    edit.mutate(
      { path: { id }, body: { isActive: true } },
      { onSuccess: () => toast({ text: texts.enabled }) },
    );
  const isOff = status === 'disabled';
  const reason = isOff ? statusMessage?.slice(byService.length) : statusMessage;
  return (
    <>
      <Row
        mark={
          <span className={classes['iconMark']}>
            <Icon name="webhook" />
          </span>
        }
        title={
          <a href={deliveriesHref(id)}>
            <bdi dir="ltr">{url}</bdi>
          </a>
        }
        state={
          <Status tone={isOff ? 'warn' : 'bad'} icon={isOff ? 'pause' : 'alert'}>
            {isOff ? texts.disabled : texts.failing}
          </Status>
        }
        action={
          isOff ? (
            <Button size="small" icon="play" isPending={edit.isPending} onPress={enable}>
              {texts.enable}
            </Button>
          ) : (
            <Button size="small" icon="refresh" onPress={() => setSending(true)}>
              {texts.sendAgain}
            </Button>
          )
        }
        error={edit.error}
        errorTitle={texts.notEnabled}
      >
        <p dir="auto" className={classes['reason']}>
          {reason ? sentence(isOff ? texts.disabledBecause(reason) : reason) : words.nowPage.post.noReason}
        </p>
      </Row>
      {isSending && (
        <Suspense>
          <RedeliverDialog endpoint={endpoint} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </>
  );
}
