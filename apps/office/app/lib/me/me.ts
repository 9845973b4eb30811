import type { Me } from '@brightpane/contract/office/sessions';

export type MyFranchise = Me['franchises'][number];
