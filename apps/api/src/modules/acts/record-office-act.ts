export { type Act as OfficeAct, recordAct as recordOfficeAct } from '../../db/audit.queries.ts';
