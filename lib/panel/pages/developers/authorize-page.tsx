import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  authorizeClientOperation,
  readAuthorizationOperation,
} from '../../../people/grants/operations.ts';
import { useGet, useSendForSecret } from '../../api/hooks.ts';
import type { ReplyOf, RequestOf } from '../../api/operation-types.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { Form } from '../../components/form.tsx';
import { Facts, Muted, Row, Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Select } from '../../components/select.tsx';
import { words } from '../../words/words.ts';
import { shortId, useIsOwner, useMe, useWorkspace } from '../../workspace.tsx';
import type { Permission } from './keys.ts';
import { AccountChoice, EndpointUrl } from './parts.tsx';

const texts = words.authorizePage;

type Asked = ReplyOf<typeof readAuthorizationOperation>;
type AskedParameters = NonNullable<RequestOf<typeof readAuthorizationOperation>['query']>;

/** The names of the parameters that the service reads. Others are the client's own business. */
const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'scope',
  'state',
  'request',
  'request_uri',
] as const satisfies readonly (keyof AskedParameters)[];

/** Asks the person if a client program may act in a workspace. The client has sent the browser here. */
export function AuthorizePage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const parameters = Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      // The router reads `state=12` as a number, and a parameter that is there twice as an array, which is as good as none.
      return value === undefined || typeof value === 'object' ? [] : [[name, String(value)]];
    }),
  );
  const asked = useGet<typeof readAuthorizationOperation>(
    '/panel/authorization',
    { query: parameters },
    { refetchEveryMs: false },
  );
  return (
    <Page title={texts.title} width="narrow">
      <Reading of={asked}>
        {(request) =>
          request.problem === null ? (
            <Consent asked={request} parameters={parameters} />
          ) : (
            <WrongRequest asked={request} problem={request.problem} />
          )
        }
      </Reading>
    </Page>
  );
}

/** Leaves the panel. `replace`: whoever goes back must not give the same access again. */
const leaveTo = (url: string) => {
  if (/^https?:\/\//.test(url)) location.replace(url);
};

/** Explains why the client must ask differently. The person decides about going back: the client's address may be anywhere. */
function WrongRequest({ asked, problem }: { asked: Asked; problem: string }) {
  return (
    <Stack gap={4}>
      <Notice tone="bad" title={texts.wrong(asked.client.host)}>
        <p>{texts.wrongText}</p>
        <p>
          <code>{problem}</code>
        </p>
      </Notice>
      <Row>
        <Button onPress={() => leaveTo(asked.declineUrl)}>{texts.back(asked.redirectHost)}</Button>
      </Row>
    </Stack>
  );
}

const dayChoices = [30, 90, 365];
const usualDays = 90;
const dayMs = 86_400_000;

interface ConsentProps {
  asked: Asked;
  parameters: AskedParameters;
}

function Consent({ asked, parameters }: ConsentProps) {
  const isOwner = useIsOwner();
  const { workspaces } = useMe();
  const ownsSome = workspaces.some(({ role }) => role === 'owner');
  return (
    <Stack gap={5}>
      <Who asked={asked} />
      <WorkspaceChoice />
      {isOwner ? (
        <ConsentForm asked={asked} parameters={parameters} />
      ) : (
        <>
          <Notice tone="warn">{ownsSome ? texts.notOwner : texts.ownersOnly}</Notice>
          <Row>
            <Button onPress={() => leaveTo(asked.declineUrl)}>{texts.decline}</Button>
          </Row>
        </>
      )}
    </Stack>
  );
}

/** Says who asks. The host stands first: it is the only part that nobody can choose freely. */
function Who({ asked: { client, redirectHost, isLoopback } }: { asked: Asked }) {
  return (
    <Stack gap={3}>
      <p>
        <bdi>{texts.asks(client.host)}</bdi>
      </p>
      <Facts
        of={{
          [texts.address]: <EndpointUrl url={client.id} />,
          [texts.name]: <bdi>{client.name}</bdi>,
          [texts.returns]: <bdi>{isLoopback ? texts.thisComputer(redirectHost) : redirectHost}</bdi>,
        }}
      />
      <Muted>{texts.nameNote}</Muted>
      {!isLoopback && <p>{texts.begun(redirectHost)}</p>}
      {isLoopback && (
        <Notice tone="warn" title={texts.localTitle}>
          {texts.local}
        </Notice>
      )}
      {!isLoopback && redirectHost !== client.host && <Notice tone="warn">{texts.otherHost}</Notice>}
    </Stack>
  );
}

/** Another workspace takes the place of the page, and its accounts with it. */
function WorkspaceChoice() {
  const { id } = useWorkspace();
  const { workspaces } = useMe();
  return (
    <Select
      label={texts.workspace}
      choices={workspaces.map((each) => ({
        id: each.id,
        name: texts.workspaceName(each.name, shortId(each.id)),
      }))}
      selectedKey={id}
      onSelectionChange={(chosen) => workspaceChoice.choose(String(chosen))}
    />
  );
}

const permissionTexts = words.keysTab.permissions;
const allPermissions = Object.keys(permissionTexts.names) as Permission[];

function ConsentForm({ asked, parameters }: ConsentProps) {
  const [permissions, setPermissions] = useState<readonly Permission[]>(asked.permissions);
  const [accountIds, setAccountIds] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState(usualDays);
  const [isGoing, setGoing] = useState(false);
  const give = useSendForSecret<typeof authorizeClientOperation>('POST', '/panel/authorization', [
    '/panel/keys',
  ]);
  const submit = () => {
    if (give.isPending || isGoing) return;
    const body = {
      request: parameters,
      permissions: [...permissions],
      ...(accountIds && { accountIds: [...accountIds] }),
      expiresAt: new Date(Date.now() + days * dayMs).toISOString(),
    };
    give.mutate({
      request: { body },
      onReply: ({ redirectTo }) => {
        setGoing(true);
        leaveTo(redirectTo);
      },
    });
  };
  return (
    <Form onSubmit={submit} error={give.error} errorTitle={texts.failed}>
      <CheckboxGroup
        label={texts.permissions}
        name="permissions"
        value={[...permissions]}
        onChange={(chosen) => setPermissions(allPermissions.filter((each) => chosen.includes(each)))}
        validate={(chosen) => (chosen.length === 0 ? permissionTexts.atLeastOne : null)}
        help={texts.permissionsHelp}
      >
        {allPermissions.map((permission) => (
          <Checkbox key={permission} value={permission} note={permissionTexts.notes[permission]}>
            {permissionTexts.names[permission]}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <AccountChoice
        value={accountIds}
        onChange={setAccountIds}
        most={words.keysTab.mostAccounts}
        help={texts.accountsHelp}
      />
      <Select
        label={texts.expiry}
        name="expiresAt"
        choices={dayChoices.map((each) => ({ id: String(each), name: texts.days(each) }))}
        selectedKey={String(days)}
        onSelectionChange={(id) => setDays(Number(id))}
        help={texts.expiryHelp}
      />
      <Row>
        <Button variant="primary" type="submit" isPending={give.isPending || isGoing}>
          {texts.submit}
        </Button>
        <Button onPress={() => leaveTo(asked.declineUrl)}>{texts.decline}</Button>
      </Row>
    </Form>
  );
}
