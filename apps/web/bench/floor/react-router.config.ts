import portal from '../../react-router.config.ts';

export default { ...portal, prerender: ['/'] };
