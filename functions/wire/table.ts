import { openTable, type Table } from '../../lib/table/table.ts';
import type { Wire } from './start.ts';

export const table: Wire<Table> = (environment) => openTable(environment('TABLE_NAME'));
