import { Skeleton } from '../../components/skeleton.tsx';

export default function AuditTab() {
  return <Skeleton rows={4} />;
}
