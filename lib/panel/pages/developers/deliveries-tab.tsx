import { Skeleton } from '../../components/skeleton.tsx';

export default function DeliveriesTab() {
  return <Skeleton rows={4} />;
}
