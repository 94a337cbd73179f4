/** Texts about the test environment. */
import { text } from '../../../platform/web/language/both-languages.ts'

export const test = {
  title: text('Entorno de prueba', 'Test environment'),
  subtitle: text(
    'Un lugar aparte para probar una integración con propiedades de ejemplo.',
    'A separate place to try an integration with sample listings.',
  ),
  banner: text(
    'Entorno de prueba: nada de lo que ves acá es real.',
    'Test environment: nothing you see here is real.',
  ),
  what: text(
    'Las claves de prueba funcionan como las reales, con las mismas reglas y los límites habituales, pero ven propiedades de ejemplo. Lo que se hace con ellas no toca las propiedades reales, no llega al portal ni se avisa por correo, y los buscadores no lo encuentran.',
    'Test keys work like live ones, with the same rules and the default limits, but see sample listings. What is done with them does not touch the real listings, reach the marketplace or send email, and search engines do not find it.',
  ),
  none: text('Todavía no hay un entorno de prueba', 'No test environment yet'),
  noneText: text(
    'Se crea con la primera clave de prueba, ya con propiedades de ejemplo.',
    'The first test key creates it, with sample listings in it.',
  ),
  noneMember: text(
    'Lo crea un titular, con la primera clave de prueba.',
    'An owner creates it, with the first test key.',
  ),
  createKey: text('Crear una clave de prueba', 'Create a test key'),
  keys: text('Claves de prueba activas', 'Active test keys'),
  keysTitle: text('Claves de prueba', 'Test keys'),
  seeKeys: text('Ver las claves de prueba', 'View test keys'),
  seeListings: text('Ver las propiedades', 'View listings'),
  open: text('Ver el entorno de prueba', 'View the test environment'),
  reset: text('Vaciar y volver a cargar', 'Empty and refill'),
  resetText: text(
    'Elimina todas las propiedades del entorno de prueba, con sus fotos, y vuelve a cargar las de ejemplo. Las claves siguen funcionando. Las fotos se borran definitivamente.',
    'Removes every listing in the test environment, with its photos, and brings the sample listings back. Keys keep working. The photos are deleted for good.',
  ),
  resetNow: text('Sí, vaciar y volver a cargar', 'Yes, empty and refill'),
  kind: text('Tipo de clave', 'Kind of key'),
  live: text('Real', 'Live'),
  liveHint: text(
    'Ve y cambia las propiedades de la inmobiliaria.',
    'Sees and changes the agency’s listings.',
  ),
  test: text('De prueba', 'Test'),
  testHint: text(
    'Ve propiedades de ejemplo en el entorno de prueba. Lo que hace no toca las reales ni se avisa a nadie. También acepta http://localhost entre los sitios permitidos.',
    'Sees sample listings in the test environment. Nothing it does touches the real ones, and nobody is notified. Its allowed sites may include http://localhost.',
  ),
}
