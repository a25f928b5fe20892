import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function AutomationPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Automation" of={name}>
      {null}
    </Page>
  );
}
