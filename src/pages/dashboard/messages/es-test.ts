/**
 * Español (Argentina): el entorno de prueba.
 */

export const test = {
  title: 'Entorno de prueba',
  subtitle: 'Un lugar aparte para probar una integración con propiedades de ejemplo.',
  banner: 'Entorno de prueba: nada de lo que ves acá es real.',
  what: 'Las claves de prueba funcionan como las reales, con las mismas reglas y los límites habituales, pero ven propiedades de ejemplo. Lo que se hace con ellas no toca las propiedades reales, no llega al portal ni se avisa por correo, y los buscadores no lo encuentran.',
  none: 'Todavía no hay un entorno de prueba',
  noneText: 'Se crea con la primera clave de prueba, ya con propiedades de ejemplo.',
  noneMember: 'Lo crea un titular, con la primera clave de prueba.',
  createKey: 'Crear una clave de prueba',
  keys: 'Claves de prueba activas',
  keysTitle: 'Claves de prueba',
  seeKeys: 'Ver las claves de prueba',
  seeListings: 'Ver las propiedades',
  open: 'Ver el entorno de prueba',
  reset: 'Vaciar y volver a cargar',
  resetText:
    'Elimina todas las propiedades del entorno de prueba, con sus fotos, y vuelve a cargar las de ejemplo. Las claves siguen funcionando. Las fotos se borran definitivamente.',
  resetNow: 'Sí, vaciar y volver a cargar',
  kind: 'Tipo de clave',
  live: 'Real',
  liveHint: 'Ve y cambia las propiedades de la inmobiliaria.',
  test: 'De prueba',
  testHint:
    'Ve propiedades de ejemplo en el entorno de prueba. Lo que hace no toca las reales ni se avisa a nadie. También acepta http://localhost entre los sitios permitidos.',
}
