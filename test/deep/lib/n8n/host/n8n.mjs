/**
 * n8n as far as nodes notice it: its loader, its engine and its contexts of hooks and webhooks, with a package of nodes. It runs in a process
 * of its own, and does what messages ask for.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , hostFolder, packageFolder] = process.argv;
const require = createRequire(join(hostFolder, 'package.json'));
const {
  BinaryDataService,
  ExecuteContext,
  ExecutionLifecycleHooks,
  HookContext,
  LoadOptionsContext,
  PackageDirectoryLoader,
  RoutingNode,
  WebhookContext,
  WorkflowExecute,
} = require('n8n-core');
const { createRunExecutionData, Expression, NodeHelpers, Workflow } = require('n8n-workflow');
const { Container } = require('@n8n/di');

const { expressionEngine } = Container.get(require('@n8n/config').GlobalConfig);
await Expression.initExpressionEngine({ ...expressionEngine });

const files = Container.get(BinaryDataService);
await files.init();

const loader = new PackageDirectoryLoader(packageFolder);
await loader.loadAll();
const credentialType = loader.credentialTypes['heraldApi'].type;

const nodeTypes = {
  getByName: (type) => loader.getNode(type.split('.').at(-1).replace(/Tool$/, '')).type,
  getByNameAndVersion: (type) => NodeHelpers.getVersionedNodeType(nodeTypes.getByName(type)),
  getKnownTypes: () => loader.known.nodes,
};

/** Credentials in memory, authenticated as n8n's server does: by the generic description of their type. */
const credentialsOf = (data) => ({
  getParentTypes: () => [],
  isCredentialUsableByNode: () => true,
  getDecrypted: async () => data,
  getCredentialsProperties: () => credentialType.properties,
  preAuthentication: async () => undefined,
  async authenticate(credentials, _type, options, workflow, node) {
    const { headers } = credentialType.authenticate.properties;
    const resolved = workflow.expression.getParameterValue(headers, null, 0, 0, node.name, [], 'internal', {
      $credentials: credentials,
    });
    return { ...options, headers: { ...options.headers, ...resolved } };
  },
});

/** A workflow with one node. Its static data lives as long as n8n would keep it. */
function open({ type, parameters, credentials, workflow = {}, node = {}, staticData = {}, webhookBaseUrl }) {
  const only = {
    id: '6d9f5a1e-0000-4000-8000-000000000001',
    name: 'Herald',
    type: `n8n-nodes-herald.${type}`,
    typeVersion: 1,
    position: [0, 0],
    credentials: { heraldApi: { id: '1', name: 'Herald API' } },
    webhookId: '6d9f5a1e-0000-4000-8000-000000000002',
    ...node,
    parameters: NodeHelpers.getNodeParameters(
      nodeTypes.getByName(type).description.properties,
      parameters,
      true,
      false,
      null,
      nodeTypes.getByName(type).description,
    ),
  };
  const opened = new Workflow({
    id: 'wf1',
    name: 'A workflow',
    nodes: [only],
    connections: {},
    active: true,
    nodeTypes,
    staticData: { 'node:Herald': staticData },
    settings: { executionOrder: 'v1', ...workflow.settings },
  });
  const additionalData = {
    credentialsHelper: credentialsOf(credentials),
    currentNodeExecutionIndex: 0,
    restApiUrl: 'http://localhost/rest',
    instanceBaseUrl: 'http://localhost',
    webhookBaseUrl: webhookBaseUrl ?? 'http://localhost/webhook',
    webhookTestBaseUrl: `${webhookBaseUrl ?? 'http://localhost/webhook'}-test`,
    webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
    formWaitingBaseUrl: 'http://localhost/form-waiting',
    variables: {},
    logAiEvent: () => undefined,
  };
  return { workflow: opened, node: opened.getNode('Herald'), additionalData };
}

const plain = (error) => ({
  name: error?.name ?? error?.constructor?.name,
  message: error?.message,
  description: error?.description,
  httpCode: error?.httpCode,
  messages: error?.messages,
});

const commands = {
  /** @returns what n8n has loaded */
  describe: () => ({
    nodes: loader.types.nodes.map(({ name, displayName, codex, iconUrl, usableAsTool, credentials }) => ({
      name,
      displayName,
      codex,
      iconUrl,
      usableAsTool,
      credentials,
    })),
    credentials: loader.types.credentials.map(({ name, displayName, iconUrl, supportedNodes, test }) => ({
      name,
      displayName,
      iconUrl,
      supportedNodes,
      test,
    })),
  }),

  /** @returns all operations of the node, as `<resource> <operation>` */
  operations: () =>
    loader
      .getNode('herald')
      .type.description.properties.filter(({ name }) => name === 'operation')
      .flatMap(({ displayOptions, options }) =>
        options.map(({ value }) => `${displayOptions.show.resource[0]} ${value}`),
      ),

  /** Runs the test of the credential, as n8n does when it is saved. */
  async testCredential({ credentials }) {
    const { request, rules } = credentialType.test;
    const name = 'temp';
    const properties = [{ displayName: name, name, type: 'string', routing: { request }, default: '' }];
    const description = { name, credentials: [{ name: 'heraldApi', required: true }], properties };
    const [[{ json }]] = await runDeclarative({ description }, credentials);
    const broken = rules.find(({ properties: { key, value } }) => json[key] === value);
    return broken?.properties.message ?? 'passed';
  },

  async loadOptions({ method, ...setting }) {
    const { workflow, node, additionalData } = open(setting);
    const context = new LoadOptionsContext(workflow, node, additionalData, '');
    const { loadOptions } = nodeTypes.getByName(setting.type).methods;
    return workflow.expression.withIsolate(() => loadOptions[method].call(context));
  },

  /** Runs the node in the engine. @returns its items, or its error */
  async execute({ items = [{ json: {} }], executionId, mode = 'trigger', ...setting }) {
    const { workflow, node, additionalData } = open(setting);
    additionalData.executionId = executionId;
    additionalData.hooks = new ExecutionLifecycleHooks(mode, executionId ?? '', workflow);
    const main = [await Promise.all(items.map((item) => storeFile(item, executionId)))];
    const run = createRunExecutionData({
      executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
    });
    const { data } = await new WorkflowExecute(additionalData, mode, run).processRunExecutionData(workflow);
    const { error, runData } = data.resultData;
    if (error) return { error: plain(error) };
    return {
      items: runData['Herald'][0].data.main[0].map(({ json, pairedItem, error: failed }) => ({
        json,
        pairedItem,
        ...(failed && { error: plain(failed) }),
      })),
    };
  },

  /** Calls a webhook method of the trigger. @returns its result, and the static data that n8n keeps */
  async hook({ method, isTest = false, ...setting }) {
    const { workflow, node, additionalData } = open(setting);
    const type = nodeTypes.getByName(setting.type);
    const webhook = { webhookDescription: type.description.webhooks[0], isTest };
    const mode = isTest ? 'manual' : 'trigger';
    const context = new HookContext(
      workflow,
      node,
      additionalData,
      mode,
      isTest ? 'manual' : 'activate',
      webhook,
    );
    const call = () => type.webhookMethods.default[method].call(context);
    const result = await workflow.expression.withIsolate(call);
    return { result, staticData: JSON.parse(JSON.stringify(workflow.staticData['node:Herald'])) };
  },

  /** Gives the trigger a request. @returns its answer, if it makes one, and the items with which the workflow starts */
  async webhook({ headers, rawBody, isTest = false, ...setting }) {
    const { workflow, node, additionalData } = open(setting);
    const bytes = rawBody === undefined ? undefined : Buffer.from(rawBody, 'base64');
    additionalData.httpRequest = { headers, rawBody: bytes, body: {}, params: {}, query: {}, method: 'POST' };
    const answer = {};
    additionalData.httpResponse = {
      status(code) {
        answer.status = code;
        return this;
      },
      json(body) {
        answer.body = body;
        return this;
      },
    };
    const type = nodeTypes.getByName(setting.type);
    const webhook = { webhookDescription: type.description.webhooks[0], isTest };
    const context = new WebhookContext(
      workflow,
      node,
      additionalData,
      isTest ? 'manual' : 'webhook',
      webhook,
      [],
      null,
    );
    const call = () => type.webhook.call(context);
    const { workflowData, noWebhookResponse } = await workflow.expression.withIsolate(call);
    return { answer, items: workflowData?.[0]?.map(({ json }) => json), noWebhookResponse };
  },
};

/** Puts the file of an item where n8n is set to keep files: in the item, or in a file of its own. */
async function storeFile({ json = {}, file }, executionId) {
  if (!file) return { json };
  const { bytes, ...described } = file;
  const place = { type: 'execution', workflowId: 'wf1', executionId };
  return { json, binary: { data: await files.store(place, Buffer.from(bytes, 'base64'), described) } };
}

async function runDeclarative(type, credentials) {
  const { workflow, node, additionalData } = open({ type: 'herald', parameters: {}, credentials });
  workflow.nodeTypes = { ...nodeTypes, getByNameAndVersion: () => type };
  node.parameters = { temp: '' };
  const run = createRunExecutionData({});
  const input = { main: [[{ json: {} }]] };
  const data = { node, data: input, source: null };
  const context = new ExecuteContext(workflow, node, additionalData, 'internal', run, 0, [], input, data, []);
  return workflow.expression.withIsolate(() => new RoutingNode(context, type).runNode());
}

process.on('message', async ({ id, command, ...rest }) => {
  const reply = await Promise.resolve(commands[command](rest)).then(
    (value) => ({ id, value }),
    (error) => ({ id, error: plain(error), stack: error?.stack }),
  );
  process.send(reply);
});
process.send({ id: 'ready' });
