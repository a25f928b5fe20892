import { Skeleton } from '../../components/skeleton.tsx';

export default function MembersTab() {
  return <Skeleton rows={4} />;
}
