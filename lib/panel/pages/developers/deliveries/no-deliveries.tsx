import { useState } from 'react';
import type { testWebhookOperation } from '../../../../webhooks/deliveries/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Select } from '../../../components/select.tsx';
import { useCurl } from '../../../curl.ts';
import { words } from '../../../words/words.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import classes from './deliveries.module.css';
import { deliveryPaths } from './delivery.ts';

/** Where nothing was delivered yet: offers a test event. */
export function NoDeliveries({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const active = endpoints.filter(({ isActive }) => isActive);
  const [chosen, setChosen] = useState(active[0]?.id);
  const test = useSend<typeof testWebhookOperation>('POST', '/v1/webhooks/{id}/test', deliveryPaths);
  const curl = useCurl();
  const id = active.some((each) => each.id === chosen) ? chosen : active[0]?.id;
  const texts = words.deliveriesTab.empty;
  return (
    <>
      <EmptyState
        icon="webhook"
        title={texts.title}
        action={
          id !== undefined && (
            <div className={classes.offer}>
              {active.length > 1 && (
                <Select
                  label={words.deliveriesTab.columns.endpoint}
                  isLabelHidden
                  choices={active.map(({ id, url }) => ({ id, name: url }))}
                  selectedKey={id}
                  onSelectionChange={(each) => setChosen(String(each))}
                />
              )}
              <Button
                variant="primary"
                isPending={test.isPending}
                onPress={() => test.mutate({ path: { id } })}
              >
                {texts.action}
              </Button>
            </div>
          )
        }
      >
        <p>{texts.text}</p>
      </EmptyState>
      {test.error && <ErrorNotice error={test.error} />}
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl({ method: 'POST', path: `/v1/webhooks/${id ?? endpoints[0]?.id}/test` })}
        copyLabel={words.developersPage.curl.copy}
      />
    </>
  );
}
