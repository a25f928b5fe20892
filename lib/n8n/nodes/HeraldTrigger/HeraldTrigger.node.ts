import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { verifyWebhook } from '../../../client/webhooks.ts';
import { accountsChoice, eventTypes } from '../Herald/fields.ts';
import { errorOf, getAccounts, type Reply, send } from '../Herald/requests.ts';

/** An endpoint at Herald, as n8n remembers it between the activation of a workflow and its end. */
interface Endpoint {
  id?: string;
  /** Herald shows it only once. */
  secret?: string;
}

export class HeraldTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Herald Trigger',
    name: 'heraldTrigger',
    icon: { light: 'file:../../icons/herald.svg', dark: 'file:../../icons/herald.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a post goes live or fails, an account expires, and more',
    defaults: { name: 'Herald Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'heraldApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'Herald must reach the URL of this webhook: a public https address on port 443 or 8443. An event may arrive more than once, with the same ID.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        options: [{ name: 'All Events', value: '*' }, ...eventTypes],
        default: [],
        description: 'The events that start the workflow',
      },
      {
        ...accountsChoice,
        description: `Only events about one of these accounts. Without any, about all. ${accountsChoice.description}`,
      },
    ],
  };

  methods = { loadOptions: { getAccounts } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const endpoint: Endpoint = this.getWorkflowStaticData('node');
        if (!endpoint.id || !endpoint.secret) return false;
        const { status, body } = await request(this, 'GET', `/${endpoint.id}`);
        const known = body['webhook'] as IDataObject | undefined;
        if (status === 404) return false;
        if (known?.['url'] !== this.getNodeWebhookUrl('default')) {
          // A test of an active workflow has an address of its own. Otherwise n8n has moved.
          if (this.getMode() !== 'manual') await request(this, 'DELETE', `/${endpoint.id}`);
          return false;
        }
        await request(this, 'PATCH', `/${endpoint.id}`, { ...subscription(this), isActive: true });
        return true;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl('default');
        const description = `n8n: ${this.getWorkflow().name ?? ''}`.slice(0, 500);
        const wanted = { url, ...subscription(this), description };
        let reply = await request(this, 'POST', '', wanted);
        if (reply.status === 409) {
          // It is left over, and its secret is lost.
          const { body } = await request(this, 'GET', '');
          const leftOver = (body['webhooks'] as IDataObject[]).find((webhook) => webhook['url'] === url);
          if (leftOver) await request(this, 'DELETE', `/${leftOver['id']}`);
          reply = await request(this, 'POST', '', wanted);
        }
        const conflict = errorOf(this.getNode(), reply.status, reply.body);
        if (conflict) throw conflict;
        const { id, secret } = reply.body['webhook'] as { id: string; secret: string };
        Object.assign(this.getWorkflowStaticData('node'), { id, secret } satisfies Endpoint);
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const endpoint: Endpoint = this.getWorkflowStaticData('node');
        if (endpoint.id) await request(this, 'DELETE', `/${endpoint.id}`);
        delete endpoint.id;
        delete endpoint.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret }: Endpoint = this.getWorkflowStaticData('node');
    const { rawBody } = this.getRequestObject();
    const header = this.getHeaderData()['x-service-signature'];
    // It has no secret before it is activated.
    const event = secret && (await verifyWebhook({ body: rawBody, header, secret }));
    if (!event) {
      this.getResponseObject().status(401).json({ error: 'This is not signed by Herald.' });
      return { noWebhookResponse: true };
    }
    // n8n answers with 200, and does not start the workflow.
    if (event.type === 'webhook.test' && this.getMode() !== 'manual') return {};
    return { workflowData: [this.helpers.returnJsonArray({ ...event } as IDataObject)] };
  }
}

/** Sends a request about endpoints. 404 and 409 are replies like any other. */
async function request(
  context: IHookFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<Reply> {
  const reply = await send(context, method, `/v1/webhooks${path}`, body);
  const error = errorOf(context.getNode(), reply.status, reply.body);
  if (error && reply.status !== 404 && reply.status !== 409) throw error;
  return reply;
}

function subscription(context: IHookFunctions): IDataObject {
  const accountIds = context.getNodeParameter('accounts', []) as string[];
  return {
    events: context.getNodeParameter('events') as string[],
    accountIds: accountIds.length === 0 ? null : accountIds,
  };
}
