import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function AutomationsPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Automations" of={name}>
      {null}
    </Page>
  );
}
