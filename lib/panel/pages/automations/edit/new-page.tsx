import { Page } from '../../../components/page.tsx';
import { useWorkspace } from '../../../workspace.tsx';

export function NewAutomationPage() {
  const { name } = useWorkspace();
  return (
    <Page title="New automation" of={name}>
      {null}
    </Page>
  );
}
